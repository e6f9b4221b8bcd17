"""A simulation as a page: who wins, how long games are, how they end, the board, and the use of rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import rulewright as rw
from rulewright_tools.console import plural
from rulewright_tools.reports.html import charts
from rulewright_tools.reports.html.board_use import Boards
from rulewright_tools.reports.html.distributions import histograms
from rulewright_tools.reports.html.page import page
from rulewright_tools.reports.html.parts import Html, figure, paragraphs, row, section, table
from rulewright_tools.reports.html.repeating import repeating
from rulewright_tools.reports.html.rule_use import RuleUse, rule_use
from rulewright_tools.session.estimates import Lengths, Spread, wilson
from rulewright_tools.session.place_use import place_use
from rulewright_tools.session.statistics import Outcome
from rulewright_tools.session.suspicions import Series, Suspicion


def simulation_page(
    played: Sequence[tuple[Series, Sequence[Suspicion], Sequence[rw.playing.Agent]]],
    everywhere: Sequence[Suspicion],
    seed: int,
    most: int,
    command: str,
) -> str:
    """The page of games of some numbers of players, each with what is suspicious and with who played."""
    boards = Boards()
    title = played[0][0].game.title
    warned = [f"Of all games, {'accepted' if one.accepted else 'warning'}: {one.message}" for one in everywhere]
    answer = [line for series, found, _ in played for line in _sentences(series, found)] + warned
    body = [paragraphs(answer, class_="answer")]
    for series, _, agents in played:
        body.append(section(plural(series.game.players, "player"), *_parts(series, agents, seed, most, boards)))
    games = [(plural(one.game.players, "player"), one.game) for one, _, _ in played]
    body.append(section("How to repeat it", repeating(command, games, f"from {seed} on")))
    total = sum(one.tally.games + one.tally.unfinished for one, _, _ in played)
    variants = ", ".join(played[0][0].game.variants)
    return page(f"{title}: a simulation", body, title, ", ".join(filter(None, (variants, plural(total, "game")))))


def _sentences(series: Series, found: Sequence[Suspicion]) -> Iterator[str]:
    """Sentences about who wins and how long it takes; then what is suspicious."""
    tally, game = series.tally, series.game
    if tally.games:
        lengths = Lengths.of(tally.lengths)
        best = tally.ordered()[0]
        low, high = wilson(tally.outcomes[best], tally.games)
        share = tally.outcomes[best] / tally.games
        yield (
            f"With {plural(game.players, 'player')} the most frequent end is “{_named(best)}”: {share:.1%} of games "
            f"(95 % interval {low:.1%} to {high:.1%}); a game has {float(lengths.mean):.0f} decisions, "
            f"eight of ten games {lengths.low} to {lengths.high}."
        )
    for one in found:
        word = "accepted" if one.accepted else "warning"
        yield f"With {plural(game.players, 'player')}, {word}: {one.message}"


def _named(one: Outcome) -> str:
    names = ", ".join(one.first)
    return {"nobody": "nobody wins", "alone": f"{names} wins"}.get(one.how, f"{one.how}: {names}")


def _parts(series: Series, agents: Sequence[rw.playing.Agent], seed: int, most: int, boards: Boards) -> Iterator[Html]:
    tally, game = series.tally, series.game
    if tally.games:
        yield section("Ends and lengths", row(_outcomes(series), _lengths(series)), level=3)
        yield section("Worth and measures", *_spreads(series), level=3)
        endings = [
            [name or "no rule", times, f"{times / tally.games:.1%}"] for name, times in tally.endings.most_common()
        ]
        yield section(
            "Rules that ended games", table(("Rule", "Games", "Share"), endings, "By how many games"), level=3
        )
        use = place_use(game, agents, seed, tally.games, most)
        if use is not None and use.shares:
            yield boards.part("On the board", game, use)
    used = {name: tally.fired[name] for name in game.rule_names}
    yield section("Rules", rule_use([RuleUse("", game, tally.games + tally.unfinished, used)]), level=3)


def _outcomes(series: Series) -> Html:
    """Shares of who wins."""
    tally = series.tally
    rows, figures = [], []
    for one in tally.ordered()[:12]:
        times = tally.outcomes[one]
        share, (low, high) = times / tally.games, wilson(times, tally.games)
        rows.append(charts.Interval(_named(one), share, low, high, f"{share:.1%}"))
        figures.append([_named(one), times, f"{share:.1%}", f"{low:.1%} … {high:.1%}"])
    numbers = table(("End", "Games", "Share", "95 %"), figures, "How games end")
    drawn = charts.forest(rows, "share of games", True, reference=None)
    return figure(drawn, "How games end: shares with 95 % intervals", "Intervals of how games end", numbers)


def _lengths(series: Series) -> Html:
    lengths = {float(length): times for length, times in sorted(series.tally.lengths.items())}
    mean = float(Lengths.of(series.tally.lengths).mean)
    return histograms("decisions", "decisions", {"games": lengths}, {"games": mean})


def _spreads(series: Series) -> Iterator[Html]:
    tally = series.tally
    rows: list[tuple[str, Spread]] = [(f"payoff of {seat}", tally.payoff(seat)) for seat in series.game.seats]
    for (name, seat), numbers in tally.measures.items():
        rows.append((f"{name} of {seat}" if seat else name, Spread.of(numbers)))
    spreads = [
        [name, f"{float(one.mean):.3f}", "{:.3f} … {:.3f}".format(*one.interval), f"{one.least} to {one.most}"]
        for name, one in rows
    ]
    yield table(("Of what", "Mean", "95 %", "Range"), spreads, "Payoffs, and measures of the rules at the end")
