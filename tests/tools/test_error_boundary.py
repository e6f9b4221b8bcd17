"""Ends of commands, each tried in this process: one sentence for people and an exit code, whatever has happened."""

from __future__ import annotations

import errno

import pytest
import typer

import rulewright as rw
from rulewright_tools import signals
from rulewright_tools.console import CommandError, Exit
from rulewright_tools.error_boundary import DEBUG, guarded, outcome

WRONG = rw.Diagnostic("SYN001", "expected a name", rw.Span("game.rules", 3, 7), hint="write one")
SAID = [
    (rw.RulesetError((WRONG,)), "game.rules:3:7"),
    (rw.Stopped(WRONG), "expected a name"),
    (CommandError("there is no such game"), "error: there is no such game"),
    (RecursionError("maximum recursion depth exceeded"), "error: the rules are nested too deeply to be read"),
    (MemoryError(), "error: out of memory"),
    (OSError(errno.ENOSPC, "No space left on device", "game.svg"), "error: game.svg: No space left on device"),
    (OSError(errno.EIO, "Input/output error"), "error: output: Input/output error"),
    (ModuleNotFoundError("No module named 'drawsvg'", name="drawsvg"), "[draw]'"),
    (ModuleNotFoundError("No module named 'nowhere'", name="nowhere"), "error inside Rulewright (ModuleNotFoundError"),
    (KeyError("x"), f"error inside Rulewright (KeyError: 'x'); {DEBUG}=1 shows where"),
]


@pytest.fixture(autouse=True)
def _not_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    """No command has really begun, and what the environment says is no matter."""
    monkeypatch.setattr(signals, "enter", lambda: None)
    monkeypatch.delenv(DEBUG, raising=False)


def ended(error: BaseException) -> Exit:
    def action() -> Exit:
        raise error

    return outcome(action)


@pytest.mark.parametrize("error, said", SAID, ids=lambda value: type(value).__name__)
def test_an_error_is_one_sentence(error: Exception, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(error) is Exit.COULD_NOT_RUN
    shown = capsys.readouterr()
    assert said in " ".join(shown.err.split())
    assert "Traceback" not in shown.err
    assert shown.out == ""


def test_who_stops_a_command_is_told_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(KeyboardInterrupt()) is Exit.INTERRUPTED
    assert capsys.readouterr().err == "stopped\n"


def test_a_reader_that_has_gone_is_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(BrokenPipeError()) is Exit.FINE
    assert capsys.readouterr().err == ""


def test_the_code_of_a_command_is_passed_on() -> None:
    assert outcome(lambda: Exit.FINDINGS) is Exit.FINDINGS

    @guarded
    def command(broken: bool) -> Exit:
        if broken:
            raise CommandError("broken")
        return Exit.FINE

    codes = []
    for broken in (False, True):
        with pytest.raises(typer.Exit) as left:
            command(broken)
        codes.append(left.value.exit_code)
    assert codes == [Exit.FINE, Exit.COULD_NOT_RUN]


@pytest.mark.parametrize(
    "error", [typer.Exit(3), typer.Abort(), typer.BadParameter("no")], ids=lambda e: type(e).__name__
)
def test_what_typer_says_itself_is_left_to_it(error: Exception) -> None:
    with pytest.raises(type(error)):
        ended(error)


def test_whoever_looks_for_a_mistake_sees_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DEBUG, "1")
    with pytest.raises(KeyError):
        ended(KeyError("x"))


def test_nobody_is_left_to_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(_: object) -> None:
        raise OSError(errno.EPIPE, "Broken pipe")

    monkeypatch.setattr("rulewright_tools.error_boundary.print_note", closed)
    assert ended(CommandError("lost")) is Exit.COULD_NOT_RUN
