"""Facts about a game that follow from its rules: who plays, what is measured, which rules there are, its graph."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from rulewright import engine
from rulewright.compiler.statement_places import statements_of
from rulewright.data.place_graph import PlaceGraph
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics.suggestions import did_you_mean, listing
from rulewright.engine import ALL_PASSES, EngineName, Passes
from rulewright.host.api_arguments import invalid_argument
from rulewright.host.api_arguments import text as as_text
from rulewright.ir import model as m
from rulewright.ir.graphs import graph_of
from rulewright.ir.hash_consing import structural_digest
from rulewright.ir.rule_places import tell_statements
from rulewright.knowledge.public_values import public_queries
from rulewright.knowledge.secrets.hidden_values import correlated_fields
from rulewright.play.pictures import svg_if_possible
from rulewright.play.view_model import GameModel, model_of

if TYPE_CHECKING:
    import networkx as nx

    from rulewright.compiler.rule_flow import RuleFlow


class GameFacts:
    """A program with its ruleset, and static facts about it."""

    def __init__(
        self, program: m.Program, ruleset: Ruleset, backend: EngineName = "auto", passes: Passes = ALL_PASSES
    ) -> None:
        self.program = program
        self.ruleset = ruleset
        self.backend = backend
        """The backend that plays the games of :meth:`playout`; the results are the same."""
        self.passes = passes
        """The passes of the optimiser that are made for it."""
        tell_statements(program, statements_of(ruleset, program))

    @property
    def name(self) -> str:
        """Short name of the ruleset."""
        return self.ruleset.name

    @property
    def title(self) -> str:
        """Name on the box."""
        return self.program.title

    @property
    def variants(self) -> tuple[str, ...]:
        """The titles of its variants, in the order in which they are laid over each other."""
        return self.program.variants

    @cached_property
    def parameters(self) -> dict[str, str]:
        """The values of all parameters."""
        return dict(self.program.options)

    @cached_property
    def endings(self) -> tuple[str, ...]:
        """The rules by which a game may end, with the values that its parameters have."""
        return self.flow.endings

    @property
    def digest(self) -> str:
        """A number in hexadecimal that is another one for other rules, and for other numbers of players or options."""
        return structural_digest(self.program).hex()

    @property
    def players(self) -> int:
        """The number of players."""
        return self.program.players

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """The keys of the players in seat order."""
        return next(u.keys for u in self.program.universes if u.name == "Player")

    @cached_property
    def model(self) -> GameModel:
        """Boards, zones, fields and all else that is shown of a game."""
        return model_of(self.program)

    @cached_property
    def public_queries(self) -> frozenset[str]:
        """The queries that read nothing but what all players see."""
        return public_queries(self.program)

    @property
    def has_secrets(self) -> bool:
        """True if there is anything in the game that not all know, were it only what others decide at the same time."""
        return engine.has_hidden_information(self.engine)

    @property
    def has_private_information(self) -> bool:
        """True if one player may know what another does not; a pile that lies face down before all is no such thing."""
        return engine.has_private_information(self.engine)

    @cached_property
    def engine(self) -> engine.Engine:
        """The compiled program."""
        found = engine.engine_of(self.program, self.passes)
        engine.lay_picture(found, partial(svg_if_possible, self))
        return found

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """The measures of its rules: numbers that players may aim at, and that are worth watching."""
        return tuple(query.name for query in self.program.queries if query.is_measure)

    @cached_property
    def player_numbers(self) -> tuple[str, ...]:
        """The queries that give a number for one player, measures or not."""
        numbers = [one for one in self.program.queries if one.ty.kind == "int" and not one.ty.optional]
        held = [one for one in numbers if [slot.ty.universe for slot in one.params] == ["Player"]]
        return tuple(one.name for one in held if one.name.isidentifier())

    @property
    def remembers(self) -> bool:
        """True if it is kept what each player has seen of what lies hidden."""
        return self.engine.layout.known >= 0

    @property
    def correlated_secrets(self) -> tuple[str, ...]:
        """The hidden fields of which policies, and often :meth:`State.imagine`, can only draw each value by itself:
        they follow from other secrets, so what is drawn need not fit together (INF329)."""
        return correlated_fields(self.program)

    @property
    def rule_names(self) -> tuple[str, ...]:
        """The rules whose use is counted."""
        return self.engine.rule_names

    @cached_property
    def flow(self) -> RuleFlow:
        """The rules that can be used at all, with the values that the parameters of this game have."""
        from rulewright.compiler.rule_flow import RuleFlow

        return RuleFlow(self.program)

    @property
    def idle_rules(self) -> tuple[str, ...]:
        """Rules of :attr:`rule_names` that cannot be used with the values that the parameters of this game have."""
        return tuple(name for name in self.rule_names if name not in self.flow.usable)

    @property
    def has_assertions(self) -> bool:
        """True if there are invariants or properties."""
        return any(assertion.word != "witness" for assertion in self.program.assertions)

    @cached_property
    def _last_questions(self) -> frozenset[tuple[str, int]]:
        return self.flow.last_questions(self.program.move) if self.program.move else frozenset()

    def graph(self, name: str = "") -> nx.Graph[str]:
        """The map as a networkx graph: nodes are the keys of places, with `index` and `pos` (thousandths of a step).

        Without a name the first map; an empty graph if the game has none.
        """
        return self.places(name).to_networkx()

    def places(self, name: str = "") -> PlaceGraph:
        """Graph of the project's own, with the names that networkx has: it is there at once, as importing networkx
        takes longer than many a picture."""
        as_text("the map", name)
        maps = [g for g in self.program.graphs if name in ("", g.name)]
        if name and not maps:
            known = [g.name for g in self.program.graphs]
            raise invalid_argument("the map", name, did_you_mean(name, known) or f"there are {listing(known)}")
        if not maps:
            return PlaceGraph()
        keys = {u.name: u.keys for u in self.program.universes}
        return graph_of(maps[0], keys[maps[0].place], keys.get(maps[0].edge or "", ()))
