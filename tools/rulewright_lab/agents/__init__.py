"""Agents by their words: which search, effort and evaluation a word such as ``mcts:1000:learnt:FILE`` names."""

from __future__ import annotations

from rulewright_lab.agents.agent_word import AgentWord, agent_word, join_words, split_words
from rulewright_lab.agents.words import FORMS, agent

__all__ = ["FORMS", "AgentWord", "agent", "agent_word", "join_words", "split_words"]
