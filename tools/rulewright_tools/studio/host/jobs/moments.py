"""Methods about the moments that a job has found: they are listed, kept, and clauses give way to what was meant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulewright_tools import confirming
from rulewright_tools.studio.host.catalogue import Catalogue
from rulewright_tools.studio.host.files.folder import LARGEST, Folder, Text
from rulewright_tools.studio.host.jobs.job import Job
from rulewright_tools.studio.host.jobs.methods import JobMethods
from rulewright_tools.studio.host.messages import Answered, ErrorCode, Method, Params, Refused

WORDS = ("rule", "clause", "comment", "line", "position", "events", "measures", "unchanged", "question", "over")
"""Entries of a moment that a page gets as they are."""


class MomentMethods:
    """The moments of the jobs of one page."""

    def __init__(self, catalogue: Catalogue, folder: Folder, jobs: JobMethods) -> None:
        self._catalogue, self._folder, self._jobs = catalogue, folder, jobs

    @property
    def methods(self) -> dict[str, Method]:
        """Methods by their names."""
        return {"jobs/moments": self._list, "jobs/keep": self._keep, "jobs/write": self._write}

    def _list(self, params: Params) -> Answered:
        job, first = self._job(params), params.whole_or("from", 0, 2**31) or 0
        params.done()
        return {"moments": [self._data(one) for one in job.found[first:]]}

    def _keep(self, params: Params) -> Answered:
        """Write a moment as a scenario into the file of its variant, or beside its ruleset."""
        job = self._job(params)
        scenario = _number_in(job.found, params, "number")["scenario"]
        params.done()
        if not scenario:
            raise Refused(ErrorCode.NOT_NOW, "no scenario can express this; it will be shown again")
        place = self._catalogue.path(job.ruleset).absolute()
        written = [self._put(self._name(file), text) for file, text in confirming.kept(place, scenario)]
        if not written:
            raise Refused(ErrorCode.NOT_NOW, "this is kept already")
        above, _, _ = written[0].text.rpartition(scenario)
        return {"file": written[0].name, "line": above.count("\n") + 1}

    def _write(self, params: Params) -> Answered:
        """Write a clause that does what was meant, and look for moments anew."""
        job = self._job(params)
        choices = _number_in(job.found, params, "number")["choices"]
        edit = _number_in(choices, params, "choice")["edit"]
        params.done()
        file, place = Path(edit["file"]), self._catalogue.path(job.ruleset).absolute()
        name = self._name(file)
        text = confirming.edited(self._folder.read(name).text, edit)
        if text is None:
            raise Refused(ErrorCode.NOT_NOW, "these lines were changed meanwhile: look for the moments anew")
        scenarios = [one["scenario"] for one in job.found if one["scenario"]]
        right = [one for one in scenarios if not any(confirming.kept(place, one))]
        if why := confirming.contradiction(place, file, text, right):
            raise Refused(ErrorCode.NOT_NOW, why)
        self._put(name, text)
        self._jobs.end(job)
        return {"file": name, "line": edit["above"] + 1, "id": self._jobs.begin(job.words, job.ruleset)}

    def _name(self, file: Path) -> str:
        """The name by which pages know a file."""
        name = self._folder.name_of(file)
        if name is None:
            raise Refused(ErrorCode.NOT_NOW, f"`{file.name}` belongs to no ruleset of this studio")
        return name

    def _put(self, name: str, text: str) -> Text:
        """Write a file as a page may."""
        if len(text) > LARGEST:
            raise Refused(ErrorCode.NOT_NOW, f"`{name}` would be too long")
        version = self._folder.read(name).version if self._folder.path(name).is_file() else ""
        return self._folder.write(name, text, version)

    def _job(self, params: Params) -> Job:
        return self._jobs.job(params.whole("job", 0, 2**31))

    def _data(self, moment: dict[str, Any]) -> dict[str, Any]:
        """A moment without paths of this computer, as the page may see it."""
        return {
            **{name: moment[name] for name in WORDS},
            "file": self._folder.name_of(Path(moment["file"])),
            "statements": [{"id": id, "text": text} for id, text in moment["statements"].items()],
            "choices": [{"clause": one["clause"], "instead": one["instead"]} for one in moment["choices"]],
            "keeps": bool(moment["scenario"]),
            "boards": moment["boards"],
        }


def _number_in(several: list[dict[str, Any]], params: Params, name: str) -> dict[str, Any]:
    """The one of some moments, or outcomes, of which params give the number."""
    number = params.whole(name, 0, 2**31)
    if number >= len(several):
        raise Refused(ErrorCode.PARAMS, f"there is no {name} {number}")
    return several[number]
