"""Prototypes on paper: cards, tiles, tokens, boards, tracks, player aids and rules of any game, as PDF or pictures."""
