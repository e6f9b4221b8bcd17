"""Programs: the closed, typed form of a game that the compiler makes and every backend runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.foundation.lazy import lazy_exports

if TYPE_CHECKING:
    from rulewright.foundation.reachability import reachable as reachable
    from rulewright.ir import model as model
    from rulewright.ir.arithmetic import DIVISIONS as DIVISIONS
    from rulewright.ir.arithmetic import Interval as Interval
    from rulewright.ir.arithmetic import bounds as bounds
    from rulewright.ir.automorphisms import MOST_AUTOMORPHISMS as MOST_AUTOMORPHISMS
    from rulewright.ir.automorphisms import Symmetry as Symmetry
    from rulewright.ir.automorphisms import map_symmetries as map_symmetries
    from rulewright.ir.comparison import CmpOp as CmpOp
    from rulewright.ir.comparison import applied as applied
    from rulewright.ir.control_flow.control_flow_graph import EXIT as EXIT
    from rulewright.ir.control_flow.control_flow_graph import CallGraph as CallGraph
    from rulewright.ir.control_flow.control_flow_graph import reachable_instructions as reachable_instructions
    from rulewright.ir.control_flow.control_flow_graph import slots_stored as slots_stored
    from rulewright.ir.control_flow.control_flow_graph import successors as successors
    from rulewright.ir.control_flow.graph_algorithms import components as components
    from rulewright.ir.dataflow.held_pieces import HeldPieces as HeldPieces
    from rulewright.ir.dataflow.held_pieces import source_zones as source_zones
    from rulewright.ir.dataflow.nullability import loop_members as loop_members
    from rulewright.ir.declared_sight import Level as Level
    from rulewright.ir.declared_sight import level as level
    from rulewright.ir.declared_sight import sight_of as sight_of
    from rulewright.ir.graphs import unfolded as unfolded
    from rulewright.ir.intervals import interval as interval
    from rulewright.ir.model import MAX_NUMBER_BITS as MAX_NUMBER_BITS
    from rulewright.ir.model import NONE as NONE
    from rulewright.ir.model import PAID as PAID
    from rulewright.ir.model import PAYOFF as PAYOFF
    from rulewright.ir.model import Choose as Choose
    from rulewright.ir.model import Field as Field
    from rulewright.ir.model import Graph as Graph
    from rulewright.ir.model import Program as Program
    from rulewright.ir.model import QueryDef as QueryDef
    from rulewright.ir.model import Table as Table
    from rulewright.ir.model import Zone as Zone
    from rulewright.ir.set_operations import member_formula as member_formula
    from rulewright.ir.transform.rewriting import Rewriter as Rewriter
    from rulewright.ir.walk import allowed as allowed
    from rulewright.ir.walk import nodes as nodes
    from rulewright.ir.walk import queries_asked as queries_asked

    __all__: list[str]
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)
