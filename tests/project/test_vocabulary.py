"""One vocabulary of options: equal names, meanings and types in all commands; help fits a screen, examples parse."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

import pytest
import typer
from typer.testing import CliRunner

import rulewright as rw
from rulewright_tools.app import app
from rulewright_tools.command_help import SHOWN, UNIVERSAL, HelpText
from rulewright_tools.vocabulary import RETIRED, WORDS, retired

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guide" / "commands.md"
HEIGHT = 30
GROUP: Any = typer.main.get_command(app)
COMMANDS: dict[str, Any] = {name: GROUP.commands[name] for name in GROUP.commands}
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def options(command: Any) -> dict[str, Any]:
    """The options of a command by their long names, without those for help."""
    found = [one for one in command.params if one.param_type_name == "option" and one.name != "help"]
    return {next(word for word in one.opts if word.startswith("--")): one for one in found}


def kind(option: Any) -> set[type]:
    """The type of a value: that of one, of an option that may be given several times; a name is a text."""
    annotation = option.type_descriptor.annotation
    plain = {one for part in get_args(annotation) or (annotation,) for one in get_args(part) or (part,)}
    return {str if issubclass(one, str) else one for one in plain - {type(None)}}


EVERY = [("", GROUP), *COMMANDS.items()]


def test_every_option_is_a_word_of_the_vocabulary() -> None:
    used = set()
    for command, made in EVERY:
        for name, option in options(made).items():
            assert name in WORDS, f"{command} {name}: every option has its row in rulewright_tools/vocabulary.py"
            word = WORDS[name]
            assert (option.help, option.metavar or "") == (word.meaning, word.value), (command, name)
            assert set(option.opts) == {name, *([word.letter] if word.letter else [])}, (command, name)
            assert not option.secondary_opts, (command, name)
            used.add(name)
    assert used == WORDS.keys(), "words that no command has"
    letters = [word.letter for word in WORDS.values() if word.letter]
    assert len(letters) == len(set(letters))


def test_a_name_has_one_type() -> None:
    types: dict[str, set[type]] = {}
    for command, made in EVERY:
        for name, option in options(made).items():
            assert types.setdefault(name, kind(option)) == kind(option), (command, name)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_a_screen_and_begins_with_examples(command: str) -> None:
    shown = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "80"}).stdout.splitlines()
    assert len(shown) <= HEIGHT, "\n".join(shown)
    assert max(map(len, shown)) <= 80
    examples = HelpText.read(COMMANDS[command].help).examples
    assert len(examples) >= SHOWN or command == "lsp"
    assert shown[2 : 2 + len(examples[:SHOWN])] == [f"  {one}" for one in examples[:SHOWN]]
    whole = CliRunner().invoke(app, [command, "--help-all"], env={"COLUMNS": "80"}).stdout
    assert all(name in whole for name in (*options(COMMANDS[command]), *UNIVERSAL, *examples))
    assert all(word in " ".join(whole.split()) for word in HelpText.read(COMMANDS[command].help).paragraphs)
    texts = [getattr(one, "help", None) or "" for one in COMMANDS[command].params]
    assert all("".join(text.split()) in "".join(whole.split()) for text in texts)


def parse(line: str) -> None:
    """Take in the words of a line as the command does, without running it."""
    words = shlex.split(re.split(r" [>|] | < ", line)[0], comments=True)
    assert words[0] == "rulewright"
    with GROUP.make_context("rulewright", words[1:]) as context:
        name, command, rest = GROUP.resolve_command(context, [*context._protected_args, *context.args])
        with suppress(typer.Exit), command.make_context(name, rest, parent=context):  # --help leaves
            pass


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_parse(command: str) -> None:
    for line in HelpText.read(COMMANDS[command].help).examples:
        parse(line)


SERVERS = ("studio", "lsp")
"""Commands that run until they are stopped."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what examples name: what `new` makes, and a saved game."""
    folder = tmp_path_factory.mktemp("examples")
    state = rw.load("connect-four").start(seed=1)
    (folder / "evening.json").write_text(json.dumps(state.choose(0).choose(0).save()), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for line in HelpText.read(COMMANDS["new"].help).examples[:SHOWN]:
            assert CliRunner().invoke(app, shlex.split(line)[1:]).exit_code == 0
    return folder


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - {"new", *SERVERS}))
def test_first_examples_work(command: str, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As they stand; exit code 1 tells of a finding."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    before = HelpText.read(COMMANDS["tournament"].help).examples[1:2] if command == "analyse" else ()  # its games
    for line in (*before, *HelpText.read(COMMANDS[command].help).examples[:SHOWN]):
        done = CliRunner().invoke(app, shlex.split(line)[1:], input="quit\n")
        assert done.exit_code in (0, 1), (line, done.output)


def lines_of(page: Path) -> list[str]:
    """The commands in blocks of code of a page, each without what is said beside it."""
    blocks = re.findall(
        r"^```[a-z]*\n(.*?)^```", page.read_text("utf-8").replace("\\\n", " "), re.MULTILINE | re.DOTALL
    )
    found = [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]
    return [re.split(r"\s{3,}|\s+#\s", line)[0] for line in found if re.match(r"rulewright [a-z-]+ ", line)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_on_pages_parse(page: Path) -> None:
    for line in lines_of(page):
        if "…" not in line:
            parse(line)


def test_options_that_pages_name_exist() -> None:
    """In running text, too: of commands that are no other programs' than these."""
    for page in PAGES:
        for passage in re.findall(r"`(?:rulewright )?([a-z-]+) ([^`]*--[^`]*)`", page.read_text("utf-8")):
            if passage[0] in COMMANDS:
                known = {*options(COMMANDS[passage[0]]), *UNIVERSAL, "--help", "--help-all"}
                assert known.issuperset(re.findall(r"(?<![\w-])--[a-z][\w-]*", passage[1])), (page, passage)


def test_old_names_are_answered_with_the_new_ones() -> None:
    for name, answers in RETIRED.items():
        for answer in answers.values():
            assert WORDS.keys() >= set(re.findall(r"--[a-z][\w-]*", answer)), (name, answer)
    for command, made in EVERY:
        assert not [name for name in options(made) if command in RETIRED.get(name, ())]
    for words, said in (
        (("simulate", "tic-tac-toe", "--deadline", "3"), "--time now"),
        (("solve", "tic-tac-toe", "--budget=60s"), "write --time SECONDS"),
        (("confirm", "tic-tac-toe", "--keep", "x"), "--output now"),
        (("play", "tic-tac-toe", "--load", "x"), "rulewright play RULESET FILE"),
    ):
        done = CliRunner().invoke(app, words, env={"COLUMNS": "200"})
        assert (done.exit_code, said in done.stderr) == (2, True), done.stderr
    assert retired("rulewright simulate", "--gmes") is None


def test_the_page_has_the_vocabulary(golden: Callable[[Path, str], None]) -> None:
    text = PAGE.read_text("utf-8")
    head, tail = "<!-- vocabulary -->\n\n", "\n<!-- end of the vocabulary -->"
    rows = ["| option | meaning | commands |", "|---|---|---|"]
    for name, word in WORDS.items():
        having = [command for command, made in EVERY if name in options(made)]
        where = "every one" if having == [""] else ", ".join(having)
        written = f"{word.letter}, {name}" if word.letter else name
        value = f" {word.value}".replace("|", "\\|") if word.value else ""
        meaning = word.meaning.replace("|", "\\|")
        rows.append(f"| `{written}{value}` | {meaning} | {where} |")
    before, _, rest = text.partition(head)
    golden(PAGE, f"{before}{head}{chr(10).join(rows)}{tail}{rest.partition(tail)[2]}")
