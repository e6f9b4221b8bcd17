"""Rulewright's laboratory: agents that search and learn, experiments, tournaments and game theory.

    import rulewright as rw
    import rulewright_lab as lab

    game = rw.load("connect-four")
    seats = [lab.agent(game, "mcts:200"), lab.agent(game, "random")]
    game.playout(seed=1, policies=seats).result
    lab.game_theory(game)                        # sum, information, chance, the longest game
    lab.solve(rw.load("tic-tac-toe")).value      # the exact value
    lab.equilibrium(rw.load("kuhn-poker")).value # of games with secrets, by mixed strategies
    lab.actions(game), lab.observations(game)    # numbered actions and arrays, for learning algorithms

Its modules are ``agents``, ``environment``, ``divergence``, ``experiments``, ``learning``, ``playtests``, ``testing``,
``theory`` and ``tournaments``; those of ``adapters`` make rulesets games of other libraries. Each is imported when it
is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.foundation import lazy_exports

if TYPE_CHECKING:
    from rulewright_lab import agents as agents
    from rulewright_lab import divergence as divergence
    from rulewright_lab import environment as environment
    from rulewright_lab import experiments as experiments
    from rulewright_lab import learning as learning
    from rulewright_lab import playtests as playtests
    from rulewright_lab import testing as testing
    from rulewright_lab import theory as theory
    from rulewright_lab import tournaments as tournaments
    from rulewright_lab.agents import agent as agent
    from rulewright_lab.games import actions as actions
    from rulewright_lab.games import equilibrium as equilibrium
    from rulewright_lab.games import game_theory as game_theory
    from rulewright_lab.games import information_tensors as information_tensors
    from rulewright_lab.games import observations as observations
    from rulewright_lab.games import solve as solve

    __all__: list[str]
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)
