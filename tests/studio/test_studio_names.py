"""No text of a page is taken for the name of a file that was not opened, however it is written.

Every text of every method, of what runs as a job, and of what goes to the language server, in many forms that mean a
file elsewhere to somebody. Whatever is opened meanwhile in this process is heard of.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from studio_page import METHODS, Page, printed
from test_studio_secret_methods import ASKED
from typer.testing import CliRunner

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.app import app
from rulewright_tools.lsp.positions import path_of
from rulewright_tools.studio.host import Catalogue, Host
from rulewright_tools.studio.host.jobs.job import DONE, Changed, Job
from rulewright_tools.studio.host.language.document_names import DocumentNames
from rulewright_tools.studio.host.language.language_messages import LanguageMessages
from sampling import sample

PRIVATE = "elsewhere/private-to-its-owner"
"""The folder of all files that nobody has opened."""
TITLE = "Opening: at once"
heard: list[str] = []


def hear(event: str, args: tuple[Any, ...]) -> None:
    if event == "open" and isinstance(args[0], str | bytes | os.PathLike):
        name = os.fsdecode(args[0])
        if PRIVATE in os.path.realpath(name) or name == "/etc/passwd":
            heard.append(name)


sys.addaudithook(hear)  # it cannot be taken away again, and does nothing where this folder is not named


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A ruleset with variants, a file of variants beside it, a link that leads out, and private files elsewhere."""
    shutil.copytree(next(path for path in rw.shipped_rulesets() if path.name == "tic-tac-toe"), tmp_path / "home/mine")
    variants = f'variant "{TITLE}" of tic_tac_toe\n    before play\n        tells "Another game."\n'
    (tmp_path / "home" / "first.rules").write_text(
        variants + variants.replace(TITLE, f"x:{tmp_path}/{PRIVATE}/a.rules:y")
    )
    (private := tmp_path / PRIVATE).mkdir(parents=True)
    (private / "a.rules").write_text(variants.replace(TITLE, "private"))
    (private / "a.json").write_text("{}")
    (private / "ruleset.json").write_text('{"name": "a", "title": "a", "rules": ["a.rules"]}')
    (tmp_path / "home" / "mine" / "link").symlink_to(private)
    (tmp_path / "home" / "mine" / "linked.rules").symlink_to(private / "a.rules")
    return tmp_path / "home"


def forms(home: Path) -> list[str]:
    """Texts that mean a file elsewhere, to whoever takes them for its name or takes them apart."""
    found = []
    for name in ("a.rules", "a.json"):
        path = str(home.parent / PRIVATE / name)
        up = f"../{PRIVATE}/{name}"
        found += [path, f" {path}", f"{path}\n", f"{path}\0", f"{path}\0.rules", up, f"mine/../{up}", f"mine/{up}"]
        found += [f"mine/link/{name}", "mine/linked.rules", f"mine//{path}", f"mine\\..\\..\\{PRIVATE}\\{name}"]
        found += [f"file://{path}", f"FILE://{path}", f"file:{path}", f" file://{path}", f"file://localhost{path}"]
        found += [f"file:///mine/%2e%2e/%2e%2e/{PRIVATE}/{name}", f"fi\tle://{path}", f"file:///mine/link/{name}"]
        found += [f"x:{path}:y", f":{path}", f"{path}:x", f"mine:{path}", f"{TITLE}:{path}", f"x,{path}", f'"{path}"']
        found += [f"--output={path}", f"-v{path}", f"@{path}", f"x={path}", f"x\n{path}", f"$(cat {path})"]
        for space in ("", " ", "\t", "\n", "\u2003", "\0"):
            found += [f"{space}learnt:{path}", f"mcts:2:{space}learnt:{path}", f"mcts:2:mast{space}:learnt:{path}/3"]
            found += [
                f"alphabeta:1:{space}learnt{space}:{space}{path}",
                f"flat:2,{space}learnt:{path}",
                f"random\nlearnt:{path}",
            ]
        found += [f"pipe:cat {path}", f"greedy:{path}", f"lead: learnt:{path}", f"learnt:{path}:x"]
    return found


class InThisProcess:
    """Runs the commands of jobs where it is heard what they open."""

    def start(self, job: Job, changed: Changed) -> None:
        job.text = CliRunner().invoke(app, job.words).output
        job.state, job.code = DONE, 0
        changed(job)

    def stop(self, job: Job) -> None:
        """It is done."""


def with_texts(method: str, given: dict[str, Any], form: str) -> Iterator[dict[str, Any]]:
    """The params with this text in the place of each that they may have."""
    params = METHODS[method]["properties"]["params"].get("properties", {})
    for name, schema in params.items():
        kind = schema.get("type", "string" if "enum" in schema else "")
        if kind == "string":
            yield {**given, name: form}
        elif kind == "array" and name != "lines":
            yield from ({**given, name: words} for words in ([form], ["random", form], [TITLE, form]))
        elif kind == "object":
            yield from ({**given, name: words} for words in ({form: "1"}, {"size": form}))


JOBS: list[dict[str, Any]] = [
    {"kind": "simulate", "ruleset": "mine", "games": 1},
    {"kind": "experiment", "ruleset": "first", "games": 2, "variants": [TITLE]},
    {"kind": "fuzz", "ruleset": "mine", "seconds": 1},
]


def test_no_method_opens_what_it_was_not_given(home: Path) -> None:
    page = Page(Host(Catalogue.of([home / "mine"], home=home, shipped=False), runner=InThisProcess()))
    page.ask("game/start", ruleset="mine", seats=["person", "person"], seed=1)
    tried = 0
    texts = forms(home)
    heard.clear()
    for method in METHODS:
        for given in (*(ASKED[method] or [{"ruleset": "mine"}])[:2], *(JOBS if method == "jobs/start" else ())):
            for form in texts[:: sample(5, 1)]:
                for params in with_texts(method, given, form):
                    tried += 1
                    request = {"jsonrpc": "2.0", "id": tried, "method": method, "params": params}
                    sent = json.dumps(list(page.host.handle(request)))
                    assert heard == [], (method, params)
                    assert "error inside Rulewright" not in sent, (method, params, sent)
    assert tried > 400


def test_titles_that_look_like_files_stay_titles(home: Path) -> None:
    """Strangers name variants as they like: what is chosen by its title is that, in games and in jobs."""
    titles = rw.playing.setup_choices(Catalogue.of([home / "first.rules"]).opened("first")[0]).variants
    assert len(titles) == 2
    page = Page(Host(Catalogue.of([home / "mine"], home=home), runner=InThisProcess()))
    heard.clear()
    for title in titles:
        page.ask("game/start", ruleset="first", variants=[title])
        page.ask("jobs/start", kind="experiment", ruleset="first", games=2, variants=[title])
        assert f"{title}" in printed(page.ask("jobs/list")["jobs"][-1])
    ending = f'variant "{home.parent}/{PRIVATE}/a.rules" of tic_tac_toe\n    before play\n        tells "No file."\n'
    (home / "first.rules").write_text(ending)
    (title,) = rw.playing.setup_choices(Catalogue.of([home / "first.rules"]).opened("first")[0]).variants
    page.ask("game/start", ruleset="first", variants=[title])
    assert page.shown["variants"] == [title]
    assert heard == []


def test_the_language_server_is_told_of_no_other_file(home: Path) -> None:
    """Of no text that it gets it can make another path than those of the catalogue."""
    passed: list[Any] = []
    messages = LanguageMessages(DocumentNames(Catalogue.of([home / "mine"], home=home)), passed.append)
    place = {"line": 0, "character": 0}
    for number, form in enumerate(forms(home)):
        where = {
            "textDocument": {"uri": form, "languageId": "rulewright", "version": 1, "text": "x"},
            "position": place,
        }
        requests = {
            "initialize": {"rootUri": form, "rootPath": form, "workspaceFolders": [{"uri": form, "name": form}]},
            "textDocument/didOpen": where,
            "textDocument/hover": where,
            "workspace/executeCommand": {"command": "rulewright.test", "arguments": [form, {"file": form, form: 1}]},
            "workspace/didChangeWatchedFiles": {"changes": [{"uri": form, "type": 2}]},
            "workspace/didChangeWorkspaceFolders": {"event": {"added": [{"uri": form, "name": "a"}], "removed": []}},
            "codeAction/resolve": {"title": "a", "data": form},
        }
        for method, params in requests.items():
            messages.take(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
    for message in passed:
        assert not any(key in message["params"] for key in ("rootPath", "workspaceFolders"))
        assert [text for text in texts_of(message) if path_of(text) is not None] == []
    messages.take(json.dumps({"id": 1, "method": "a", "params": {"uri": "file:///mine/game.rules"}}))
    assert path_of(passed[-1]["params"]["uri"]) == home / "mine" / "game.rules"


def texts_of(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from (key, *texts_of(one))
    elif isinstance(value, list):
        for one in value:
            yield from texts_of(one)


@pytest.mark.parametrize("seed", range(3))
def test_the_word_of_an_agent_means_the_same_when_it_is_read_again(seed: int) -> None:
    """The word that is checked is the one that is read: it is passed on as it was understood."""
    import random

    draw = random.Random(seed)
    parts = [
        "mcts",
        "flat",
        "alphabeta",
        "oos",
        "learnt",
        "mast",
        "greedy",
        ":",
        " :",
        "\t",
        "10",
        "/3",
        "x",
        "\n",
        "4x10",
    ]
    for _ in range(sample(3_000, 100_000)):
        word = lab.agents.agent_word("".join(draw.choice(parts) for _ in range(draw.randrange(9))))
        assert lab.agents.agent_word(str(word)) == word
