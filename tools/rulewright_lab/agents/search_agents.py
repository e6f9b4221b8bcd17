"""Agents that look ahead: what they are, as plain data, and how one begins to play."""

from __future__ import annotations

from rulewright.engine import (
    EngineName,
    Passes,
    Stepper,
    engine_of,
    has_hidden_information,
    stepper_of,
)
from rulewright.foundation import dataclass
from rulewright.ir import Program
from rulewright.search import (
    AlphaBeta,
    Effort,
    FlatSearch,
    InformationSetSearch,
    MultipleObserverSearch,
    OutcomeSampling,
    Rating,
    RootParallelSearch,
    RootSearch,
    Search,
    TreeSearch,
    threads_for,
)
from rulewright_lab.evaluation.derived_queries import LEARNT_QUERY
from rulewright_lab.evaluation.evaluation import Evaluation

FLAT, MCTS, MULTIPLE_OBSERVERS, OUTCOMES, ALPHABETA = "flat", "mcts", "mo-ismcts", "oos", "alphabeta"
MAST = "mast"


@dataclass(frozen=True, slots=True)
class MonteCarloAgent:
    """An agent that plays simulations at each decision: with a tree or several, flat, or by online outcome sampling."""

    word: str
    effort: Effort
    rating: Rating | None = None
    trees: int = 1
    """So many trees grow at once, each with the whole effort."""
    mast: bool = False
    """True if simulations go on by the averages of moves, and not at random."""

    def __str__(self) -> str:
        trees = f"{self.trees}x" if self.trees > 1 else ""
        mast = f":{MAST}" if self.mast else ""
        return f"{self.word}:{trees}{self.effort}{mast}{'' if self.rating is None else f':{self.rating}'}"

    @property
    def needs_log(self) -> bool:
        """True if it goes by what its seat remembers: its observation history."""
        return self.word == OUTCOMES

    def begin(self, program: Program, wanted: EngineName, passes: Passes) -> Search:
        """The way in which it chooses in games of a program."""
        engine, rating = engine_of(program, passes), self.rating
        hidden = has_hidden_information(engine)
        rated = () if rating is None else rating.asks(engine)
        if rating is not None and isinstance(rating.evaluation, Evaluation) and rating.evaluation.is_derived:
            program, rating = rating.evaluation.program(engine), Rating(LEARNT_QUERY, rating.depth)

        def stepper() -> Stepper:
            return stepper_of(program, wanted, passes, rated)

        if self.word == FLAT:
            return FlatSearch(stepper(), self.effort, rating, hidden=hidden)
        if hidden and self.word == OUTCOMES:
            return OutcomeSampling(stepper(), passes, self.effort)
        if hidden and self.word == MULTIPLE_OBSERVERS:
            return MultipleObserverSearch(stepper(), self.effort, rating)

        def tree() -> RootSearch:
            if hidden or rating is not None:
                return InformationSetSearch(stepper(), self.effort, rating, hidden=hidden, mast=self.mast)
            return TreeSearch(stepper(), self.effort, self.mast)

        if self.trees == 1:
            return tree()
        threads = threads_for(self.trees, timed=bool(self.effort.milliseconds))
        return RootParallelSearch([tree() for _ in range(self.trees)], threads)


@dataclass(frozen=True, slots=True)
class AlphaBetaAgent:
    """An agent that looks at everything, so many answers deep or for so long, in games of two who see everything."""

    depth: int
    milliseconds: int = 0
    query: str = ""
    evaluation: Evaluation | None = None
    """An evaluation that was learnt, in place of a query."""

    def __str__(self) -> str:
        effort = f"{self.milliseconds}ms" if self.milliseconds else str(self.depth)
        return f"{ALPHABETA}:{effort}{self.query and f':{self.query}'}"

    def begin(self, program: Program, wanted: EngineName, passes: Passes) -> Search:
        """The way in which it chooses in games of a program."""
        if self.evaluation is not None:
            engine, learnt = engine_of(program, passes), self.evaluation
            stepper = stepper_of(learnt.program(engine), wanted, passes, learnt.queries(engine))
            evaluator = learnt.evaluator(engine)
            return AlphaBeta(stepper, self.depth, self.milliseconds, evaluator=evaluator)
        stepper = stepper_of(program, wanted, passes, (self.query,) if self.query else ())
        return AlphaBeta(stepper, self.depth, self.milliseconds, self.query)


def unfit(program: Program) -> str:
    """The reason why alpha-beta search cannot play a game; empty if it can."""
    if program.players != 2:
        return f"it looks ahead for two players, and here are {program.players}"
    if has_hidden_information(engine_of(program)):
        return "it looks ahead where both see everything, and here something is hidden"
    return ""
