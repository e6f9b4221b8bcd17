"""The games of a tournament in a file, one a line, from which it goes on after it was stopped."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine import NO_OPTION
from rulewright.play import Game
from rulewright_lab.agents import agent
from rulewright_lab.agents.words import evaluation_of
from rulewright_lab.tournaments.matches import Match, Tournament


class Records:
    """A file: what is played in its first line, then the games, whole rounds of them."""

    def __init__(self, path: Path, game: Game, tournament: Tournament) -> None:
        self._path = path
        self._head: dict[str, object] = {
            "tournament": 1,
            "game": game.name,
            "players": game.players,
            "variants": list(game.variants),
            "options": dict(sorted(game.parameters.items())),
            "agents": list(tournament.agents),
            "seed": tournament.seed,
            "most": tournament.most,
            "look": tournament.look,
            "noise": tournament.noise,
        }
        self._weights = _weights(game, tournament)
        if self._weights:
            self._head["weights"] = self._weights

    def known(self, size: int) -> list[list[Match]]:
        """The rounds of so many games that are in the file, the first first; it is made if there is none."""
        if not self._path.exists():
            self._path.write_text(json.dumps(self._head) + "\n", "utf-8")
            return []
        lines = self._path.read_text("utf-8").split("\n")
        try:
            head, *rows = [json.loads(line) for line in lines[:-1]]  # the last one is empty, or was cut off
            matches = [_match(row) for row in rows]
        except (ValueError, KeyError, TypeError) as problem:
            raise _wrong(f"{self._path} holds no games of a tournament", "give another file") from problem
        if head != self._head:
            if isinstance(head, dict) and {**head, "weights": self._weights} == self._head:
                raise self._other_weights(head.get("weights"))
            other = next(key for key in self._head if not isinstance(head, dict) or head.get(key) != self._head[key])
            hint = "give another file, or play what it holds"
            raise _wrong(f"{self._path} holds games of another tournament: its {other} differ", hint)
        rounds = [matches[at : at + size] for at in range(0, len(matches) - size + 1, size)]
        kept = [self._head, *(match.data() for one in rounds for match in one)]
        self._path.write_text("".join(json.dumps(row) + "\n" for row in kept), "utf-8")
        return rounds

    def _other_weights(self, before: object) -> RulesetError:
        """The error about files of weights that are not those that the games were played with."""
        known = before if isinstance(before, dict) else {}
        changed = ", ".join(f"`{word}`" for word, digest in self._weights.items() if known.get(word) != digest)
        message = f"{self._path} holds games of other agents: the weights of {changed} have changed since"
        return _wrong(message, "give another file, or weights with a name of their own")

    def add(self, matches: Iterable[Match]) -> None:
        """Append the games of a round."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write("".join(json.dumps(match.data()) + "\n" for match in matches))


def _weights(game: Game, tournament: Tournament) -> dict[str, str]:
    """The digests of the files of weights that agents play with, by the words of these."""
    agents = {word: agent(game, word, tournament.look, tournament.noise) for word in tournament.agents}
    found = {word: evaluation_of(agent) for word, agent in agents.items()}
    return {word: evaluation.digest for word, evaluation in found.items() if evaluation is not None}


def _match(row: dict[str, object]) -> Match:
    agents, payoffs = row["agents"], row["payoffs"]
    if not isinstance(agents, list) or not isinstance(payoffs, list):
        raise TypeError("no game")
    failed = row.get("failed")
    return Match(
        int(str(row["round"])),
        tuple(map(int, agents)),
        tuple(map(float, payoffs)),
        int(str(row["decisions"])),
        bool(row["finished"]),
        failed if isinstance(failed, int) else None,
        str(row.get("why", "")),
    )


def _wrong(message: str, hint: str) -> RulesetError:
    return RulesetError(Diagnostic(NO_OPTION, message, hint=hint))
