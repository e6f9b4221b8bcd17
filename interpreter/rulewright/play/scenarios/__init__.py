"""Runs scenarios: lays out the position, gives the answers, and compares what must hold with what does.

Chance in a scenario comes from its ``chance`` lines. The game stands still at a throw without a line for it: what must
hold then may still be looked at, but no player can answer until the outcome is given. Only a whole game without a
single ``chance`` line takes its chance from a fixed seed.
"""

from rulewright.ir.scenario_plan import WORDS, ScenarioPlan
from rulewright.play.scenarios.causes import causes, explained, with_causes
from rulewright.play.scenarios.planning import Carried, carried_over, planned, plans
from rulewright.play.scenarios.recording.recording import RecordedLine, Recording, Untold, record
from rulewright.play.scenarios.recording.replayed_game import answer_count
from rulewright.play.scenarios.scenario_results import Cause, Failed, Failure, ScenarioResult
from rulewright.play.scenarios.scenario_runner import Runner, run_scenario, run_scenarios
from rulewright.play.scenarios.setup import betrayed, starting_state
