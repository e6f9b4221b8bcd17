"""Passes from program to program: what the rules say stays, the engines have less to do."""
