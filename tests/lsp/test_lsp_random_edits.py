"""The findings of the server are those of a cold check, after any edits of the files of a ruleset."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

import rulewright as rw

from .lsp_client import Client

FILES = ("game.rules", "scenarios/turns.rules", "variants/deep-pond.rules", "rulebook.json", "pieces.json")
PIECES = (
    "stone", "last", "p", " is ", "forbid x: ", "\n", "    ", "(", "1", "Pebble", " @P-9", "𝔘", "field x: Int\n", "#",
    "query idle = 3\n", "procedure turn\n    stop\n", "\"", "remove turn.stone\n",
)  # fmt: skip
"""Texts that are typed."""
STEPS = 6
"""Edits of one run."""


def test_findings_are_those_of_a_cold_check(folder: Path, client: Client) -> None:
    home = folder / "pond"
    before = {name: (home / name).read_text("utf-8") for name in FILES}

    class Editing(RuleBasedStateMachine):
        """People who write, take back, save, and change files behind the back of the editor."""

        def __init__(self) -> None:
            super().__init__()
            self.opened: dict[str, str] = {}
            """The texts that the editor holds; `game.rules` is always open."""

        @initialize()
        def begin(self) -> None:
            self.opened["game.rules"] = before["game.rules"]

        def _type(self, name: str, text: str) -> None:
            if name not in self.opened:
                client.open(home / name, wait=False)
            self.opened[name] = text
            client.change(home / name, text, wait=False)

        @rule(name=st.sampled_from(FILES), at=st.floats(0, 1), gone=st.integers(0, 12), new=st.sampled_from(PIECES))
        def write(self, name: str, at: float, gone: int, new: str) -> None:
            text = self.opened.get(name, (home / name).read_text("utf-8"))
            start = round(at * len(text))
            self._type(name, text[:start] + new + text[start + gone :])

        @rule(name=st.sampled_from(FILES), row=st.integers(0, 60))
        def drop_a_line(self, name: str, row: int) -> None:
            rows = self.opened.get(name, (home / name).read_text("utf-8")).split("\n")
            del rows[row % len(rows)]
            self._type(name, "\n".join(rows))

        @rule(name=st.sampled_from(FILES))
        def take_back(self, name: str) -> None:
            self._type(name, before[name])

        @rule(name=st.sampled_from(FILES[1:]))
        def save_and_close(self, name: str) -> None:
            if name in self.opened:
                (home / name).write_bytes(self.opened.pop(name).encode("utf-8"))
                client.close(home / name)
                client.touched(home / name)

        @rule(name=st.sampled_from(FILES[1:]))
        def vanish(self, name: str) -> None:
            """A file goes, as when another branch is checked out."""
            if name not in self.opened:
                (home / name).unlink(missing_ok=True)
                client.touched(home / name, 3)
                (home / name).write_bytes(before[name].encode("utf-8"))
                client.touched(home / name, 1)

        @invariant()
        def as_cold(self) -> None:
            if not self.opened:
                return
            client.change(home / "game.rules", self.opened["game.rules"])
            found = {uri: list(of) for uri, of in client.diagnostics.items() if "/pond/" in uri and of}
            assert counted(found) == cold(home, self.opened)

        def teardown(self) -> None:
            for name in list(self.opened):
                if name != "game.rules":
                    client.close(home / name)
            for name in FILES:
                (home / name).write_bytes(before[name].encode("utf-8"))
                client.touched(home / name)
            client.change(home / "game.rules", before["game.rules"])

    run_state_machine_as_test(Editing, settings=settings(max_examples=4, stateful_step_count=STEPS))  # type: ignore[no-untyped-call]


def counted(found: dict[str, list[dict[str, Any]]]) -> list[tuple[str, str, int, str]]:
    """The published findings: file, code, line, and the first line of the message."""
    return sorted(
        (Path(uri).name, one["code"], one["range"]["start"]["line"] + 1, one["message"].split("\n")[0])
        for uri, of in found.items()
        for one in of
    )


def cold(home: Path, opened: dict[str, str]) -> list[tuple[str, str, int, str]]:
    """The findings of a check of saved files, in a process other than the server's."""
    texts = {home / name: text for name, text in opened.items()}
    before = {path: path.read_text("utf-8") for path in texts}
    try:
        for path, text in texts.items():
            path.write_bytes(text.encode("utf-8"))
        try:
            findings = rw.check(rw.open_ruleset(home))
        except rw.RulesetError as error:
            findings = list(error.diagnostics)
    finally:
        for path, text in before.items():
            path.write_text(text, "utf-8")
    return sorted(
        {
            (Path(d.span.file).name if d.span.line else "ruleset.json", d.code, max(d.span.line, 1), d.message)
            for d in findings
        }
    )
