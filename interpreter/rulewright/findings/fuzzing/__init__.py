"""The fuzzer: plays a ruleset in unforeseen ways, and reports what broke as a short scenario.

configurations ──► fuzzer ──► search             machine code explores, whole games are looked at closely
                      │          └── positions, coverage, players, properties that every ruleset keeps
                      ├──► reproduction           what broke is played again, ever shorter, and written as a scenario
                      ├──► against base           only what a variant breaks and its base does not
                      └──► corpus, fuzz report
aimed run ──► aimed search ──► targets, ways      games that are led to what random ones do not come to

deadlines: until when all of them may play
"""

from __future__ import annotations

from rulewright.findings.fuzzing.against_base import fuzz_against
from rulewright.findings.fuzzing.aim.aim_report import AimReport, Attained, Missed
from rulewright.findings.fuzzing.aim.aimed_run import fuzz_at
from rulewright.findings.fuzzing.configurations import playable, settings
from rulewright.findings.fuzzing.failures import Found, FuzzArgumentError, Setting, Violation
from rulewright.findings.fuzzing.fuzz_options import MOST, SECONDS, FuzzOptions
from rulewright.findings.fuzzing.fuzz_report import Base, FuzzReport
from rulewright.findings.fuzzing.fuzzer import fuzz
from rulewright.findings.fuzzing.reproduction.reproduction import Story, story_of_seed
from rulewright.findings.fuzzing.search.runs import numbers_of
from rulewright.findings.fuzzing.search.universal_properties import of_broken, resumed
