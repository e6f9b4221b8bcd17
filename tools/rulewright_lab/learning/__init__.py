"""Learning by playing: games of agents, positions of them, and an evaluation that is fitted to how they ended."""

from rulewright_lab.evaluation.evaluation import Evaluation, Weight
from rulewright_lab.learning.fitting import LEAST_GAMES, Fitted, Quality, fitted, weights_text
from rulewright_lab.learning.samples import GameSamples, Learning, read_game, samples_of
from rulewright_lab.learning.self_play import self_play
