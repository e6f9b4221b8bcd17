"""The number of players and their teams."""

from __future__ import annotations

from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.compiler.tree_walk import nodes
from rulewright.diagnostics import Report, Span
from rulewright.foundation import limits
from rulewright.foundation.node_memo import memoized_by_node
from rulewright.syntax import ast


def player_counts(rules: Rules) -> range:
    """The numbers of players of a game; empty if it does not say. Of those that are too many only the lowest counts,
    so that nobody makes lists of millions before they are told of it."""
    players = rules.decls.get("players")
    if not isinstance(players, ast.Players):
        return range(0)
    return range(players.low, min(players.high, max(players.low, limits.PLAYERS)) + 1)


def check_players(rules: Rules, report: Report) -> None:
    """Report numbers of players that cannot be, and teams that do not come out even."""
    players = rules.decls.get("players")
    if not isinstance(players, ast.Players):
        return
    _never(rules, players, report)
    low, high, size, count = players.low, players.high, players.team_size, players.in_teams
    if not 1 <= low <= high <= limits.PLAYERS:
        said = f"{low} to {high}" if low != high else str(low)
        report.error(
            "CTL103",
            f"a game cannot be for {said} players",
            players.span,
            hint=f"1 to {limits.PLAYERS}, the smaller number first",
        )
    elif size is not None:
        if count is None:
            written = f"`teams of {size} with {high} players`"
            report.error("CTL103", "it is not said with how many players there are teams", players.span, hint=written)
        elif not low <= count <= high:
            report.error(
                "CTL103", f"teams are for {count} players, but the game is never played with {count}", players.span
            )
        elif size < 1 or count % size:
            report.error("CTL103", f"{count} players cannot form teams of {size}", players.span)


def _never(rules: Rules, players: ast.Players, report: Report) -> None:
    """Warn of what is said for numbers of players with which nobody ever plays."""
    for decl in (*rules.decls.values(), *rules.by_count, *rules.variants):
        for counts, span in _counts(decl):
            for count in counts:
                if not players.low <= count <= players.high:
                    report.warn("VAR403", f"this game is never played with {count} players", span)


@memoized_by_node
def _counts(decl: ast.Clause) -> tuple[tuple[tuple[int, ...], Span], ...]:
    """The numbers of players that a declaration speaks of, and where."""
    found = (n for n in nodes(decl) if isinstance(n, (ast.WithPlayers, ast.ByCount, ast.Member)))
    return tuple((tuple(n.counts), n.span) for n in found)
