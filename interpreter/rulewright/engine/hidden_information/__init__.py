"""Hidden information in a position.

visibility ──► answers    the players who may know an answer: once it is given, or once it shows
                  └──► hidden state    what one player does not see
                          └──► observations    views, the log, questions, refusals, the history
                                  └──► worlds    positions that a player cannot distinguish from the true one

What follows from the program alone is in :mod:`rulewright.knowledge`.
"""
