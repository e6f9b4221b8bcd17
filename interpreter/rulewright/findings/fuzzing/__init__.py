"""The fuzzer: plays a ruleset in unforeseen ways, and reports what broke as a short scenario.

settings ──► fuzz ──► rounds, findings                     games are handed out, what they find is counted
               ├────► search ──► drive ──► properties      games are played and looked at
               │         └─────► drawing                    Hypothesis draws what is answered
               │         └─────► tastes, striving           how players of whole games answer
               ├────► story ──► looping                      what a game turns in that does not end
               └────► story ──► shrinking ──► retelling     what broke is told again, ever shorter
                         └────► wording ──► telling         and written down in the rules language
               fuzz_at ──► aimed search ──► nearness        flights to what random games do not come to
                                └─────► ways ──► branch distance

limits: until when all of them may play
"""

from __future__ import annotations

from rulewright.findings.fuzzing.against_base import fuzz_against
from rulewright.findings.fuzzing.aim.aim_report import AimReport, Attained, Missed
from rulewright.findings.fuzzing.aim.aimed_run import fuzz_at
from rulewright.findings.fuzzing.failures import Found, FuzzArgumentError, Setting, Violation
from rulewright.findings.fuzzing.fuzz_report import Base, FuzzReport
from rulewright.findings.fuzzing.fuzzer import MOST, SECONDS, FuzzOptions, fuzz
from rulewright.findings.fuzzing.reproduction.reproduction import Story, story_of_seed
