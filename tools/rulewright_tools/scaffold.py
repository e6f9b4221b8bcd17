"""``python -m rulewright_tools.scaffold``: for those who work on Rulewright itself, the files of a new lint rule.

It writes into a checkout: a line in the registry of codes, the rule, its page and a case. What it writes is a rule that
works, if not a useful one, so that its tests pass at once and every later step can be seen to do something.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rulewright_tools.console import CommandError, Exit, out, write_file
from rulewright_tools.error_boundary import guarded

_REGISTRY = Path("interpreter/rulewright/diagnostics/codes.py")
_RULES = Path("interpreter/rulewright/findings/text/rules")
_PAGES = Path("docs/diagnostics")
_CASES = Path("tests/language/cases")

_CODE = re.compile(r"[A-Z]{3,4}[0-9]{3}")
_NAME = re.compile(r"[a-z]+(-[a-z]+)*")
_ENTRY = re.compile(r'    Code\("(?P<code>[A-Z]{3,4}[0-9]{3})", ')
_ENTRY_NAME = re.compile(r'    Code\(.*, "(?P<name>[a-z-]+)"\),')
_LONGEST = 120
"""So long is a line at most."""

_IMPORTS = """from collections.abc import Iterator

from rulewright.findings.text.analyses.declaration_nodes import nodes_of
from rulewright.findings.text.analyses.rule_index import RuleIndex
from rulewright.findings.text.context import Finding, lint_declarations
from rulewright.syntax import ast
"""

_RULE = '''

@lint_declarations("{code}", ast.Query)
def {stem}(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Queries that are called `change_me`; say here what the rule finds."""
    for query in nodes_of(decl, ast.Query):
        if query.name == "change_me":
            yield Finding(f"`{{query.name}}` is what a new rule finds before it is written", query.span)
'''

_PAGE = """# {code}: {title}

A query is called `change_me`. Say here what the rule finds.

## Why

Say here why it is probably not meant.

## Avoid

```rules
query change_me(n: Int) -> Int = n + 1
```

## Prefer

```rules
query next_after(n: Int) -> Int = n + 1
```
"""

_CASE = """Lint: {title}.

[case what_{test}_finds]
query change_me(n: Int) -> Int = n + 1  # {letter}: {code} `change_me`
query next_after(n: Int) -> Int = n + 1
"""


class Severity(StrEnum):
    """Severities of a rule's findings."""

    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class _Rule:
    """A lint rule that is to be written."""

    code: str
    name: str
    title: str
    severity: Severity

    @property
    def stem(self) -> str:
        """The name as the name of a file and a function."""
        return self.name.replace("-", "_")

    @property
    def entry(self) -> str:
        """The line of the rule in the registry."""
        return f'    Code("{self.code}", {self.severity.name}, "{self.title}", "{self.name}"),'

    def filled(self, template: str) -> str:
        """A template with what is known of the rule."""
        letter = self.severity.name[0]
        return template.format(code=self.code, title=self.title, stem=self.stem, test=self.stem, letter=letter)


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True)


@app.callback()
def _scaffold() -> None:
    """Write the files of something new in Rulewright itself."""


@app.command("lint")
@guarded
def new_lint(
    code: Annotated[str, typer.Argument(metavar="CODE", help="A free code, such as CTL128.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="Lower-case letters and hyphens, such as never-used.")],
    title: Annotated[str, typer.Option("--title", help="The heading of its page; without it, the name.")] = "",
    severity: Annotated[Severity, typer.Option("--severity", help="How bad it is.")] = Severity.WARNING,
    group: Annotated[
        str,
        typer.Option("--group", help="A module of findings/text/rules; without it, where most of such codes are."),
    ] = "",
    root: Annotated[Path, typer.Option("--root", help="The checkout.")] = Path(),
) -> Exit:
    """Write a lint rule, its line in the registry, its page and a case. No page or case that exists is overwritten.

    Examples:

      python -m rulewright_tools.scaffold lint CTL128 never-used --title "a value that is never used"
    """
    if not (root / _REGISTRY).is_file():
        raise CommandError(f"{root} is not a checkout of Rulewright: it has no {_REGISTRY}")
    if not _CODE.fullmatch(code):
        raise CommandError(f"{code!r} cannot be a code: use three capital letters and three digits, such as CTL128")
    if not _NAME.fullmatch(name):
        raise CommandError(f"{name!r} cannot be the name of a lint rule: use lower-case letters and hyphens")
    rule = _Rule(code, name, title or name.replace("-", " "), severity)
    if not re.fullmatch(r"[^\"\\\n]+[^\"\\\n.]", rule.title) or len(rule.entry) > _LONGEST:
        raise CommandError(f"{rule.title!r} cannot be a title: use one short line without quotes or a full stop")
    registry = _registered((root / _REGISTRY).read_text("utf-8"), rule)
    module = _RULES / f"{_module(root, code, group)}.py"
    written = {
        _PAGES / f"{code}.md": rule.filled(_PAGE),
        _CASES / f"lint_{rule.stem}.cases": rule.filled(_CASE),
    }
    for path in written:
        if (root / path).exists():
            raise CommandError(f"{path} exists already; nothing was changed")
    rules = _with_imports((root / module).read_text("utf-8"), _IMPORTS) + rule.filled(_RULE)
    for path, text in {module: rules, **written, _REGISTRY: registry}.items():
        write_file(root / path, text)
        out().print(f"wrote {path}")
    out().print("Sort the imports, put the code into the list of codes, and see the rule at work:")
    out().print(f"  ruff check --fix {module}")
    out().print("  pytest -n 0 --update-goldens tests/docs/test_linting_page.py")
    out().print(f"  pytest -n 0 tests/language/test_lint_rules.py tests/data/test_pages.py -k {rule.stem!r}")
    out().print(f"  pytest -n 0 tests/language/test_language_cases.py -k lint_{rule.stem}")
    return Exit.FINE


def _group(code: str) -> str:
    return code.rstrip("0123456789")


def _registered(text: str, rule: _Rule) -> str:
    """The registry with one more code, in its place."""
    lines = text.split("\n")
    entries = {match["code"]: number for number, line in enumerate(lines) if (match := _ENTRY.match(line))}
    if rule.code in entries:
        raise CommandError(f"{rule.code} is taken: {lines[entries[rule.code]].strip()}")
    if any((match := _ENTRY_NAME.fullmatch(line)) and match["name"] == rule.name for line in lines):
        raise CommandError(f"there is a lint rule `{rule.name}` already")
    group = [code for code in entries if _group(code) == _group(rule.code)]
    if not group:
        known = ", ".join(dict.fromkeys(map(_group, entries)))
        raise CommandError(f"no code begins with {_group(rule.code)}; there are {known}")
    later = [code for code in group if code > rule.code]
    lines.insert(entries[later[0]] if later else entries[group[-1]] + 1, rule.entry)
    return "\n".join(lines)


def _with_imports(text: str, wanted: str) -> str:
    """A module with the imports that it lacks of some, behind its own; `ruff check --fix` puts them in order."""
    lacking = [line for line in wanted.splitlines() if line and line not in text]
    head, mark, rest = text.partition("from __future__ import annotations\n")
    return "".join((head, mark, *(f"\n{line}" for line in lacking), "\n" if lacking else "", rest))


def _module(root: Path, code: str, group: str) -> str:
    """The module for a rule: the one that is wished, or where most rules of such codes are."""
    texts = {path.stem: path.read_text("utf-8") for path in sorted((root / _RULES).glob("[a-z]*.py"))}
    if group:
        if group not in texts:
            raise CommandError(f"there is no module {group!r} in {_RULES}; there are {', '.join(texts)}")
        return group
    mark = re.compile(rf'@lint\w*\(\s*"{_group(code)}')
    found = Counter({name: len(mark.findall(text)) for name, text in texts.items()})
    if not found.total():
        raise CommandError(f"no lint rule has a code with {_group(code)} yet; say with --group where it belongs")
    return found.most_common(1)[0][0]


if __name__ == "__main__":
    app()
