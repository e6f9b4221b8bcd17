"""A ruleset as a whole: its manifest, its parsed files, and its data on demand.

Loading does not stop at the first mistake: whatever is wrong is collected in :attr:`Ruleset.diagnostics`,
so that a designer sees all of it at once. Only a folder without a usable manifest is no ruleset at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from os.path import normpath
from pathlib import Path
from typing import get_args

from rulewright.data import paths
from rulewright.data.component_tables import IN_RULES, Table, load_table
from rulewright.data.manifest import FILE, Manifest, load_manifest
from rulewright.data.map_files import MapFile, load_map
from rulewright.data.paths import data_files, shown
from rulewright.data.rulebook import Rulebook, Rulings, Statement, load_rulebook, load_rulings
from rulewright.data.ruleset_folders import extended_folder, find_ruleset, shipped_rulesets
from rulewright.data.source_file import Parser, Role, SourceFile, parsed, source_of, unread
from rulewright.data.table_edits import edited
from rulewright.diagnostics import NOWHERE, Diagnostic, RulesetError, Span, over_limit
from rulewright.diagnostics.suggestions import did_you_mean, listing
from rulewright.foundation import limits
from rulewright.host.api_arguments import invalid_argument
from rulewright.syntax import ParseResult, ast

_BEGINS = re.compile(r"^([^\W\d]\w*)", re.MULTILINE)


def in_scenarios(text: str, found: Iterable[Diagnostic]) -> set[Diagnostic]:
    """The findings of a file that stand in a scenario: below a line that begins one, or in that line.

    The text is searched, not the tree: of a declaration that could not be read the tree knows nothing.
    """
    begins = [(text.count("\n", 0, match.start()) + 1, match[1]) for match in _BEGINS.finditer(text)]

    def word(line: int) -> str:
        return next((word for at, word in reversed(begins) if at <= line), "")

    return {finding for finding in found if word(finding.span.line) == "scenario"}


@dataclass
class Ruleset:
    """A ruleset that was found and read; see :attr:`diagnostics` for whether it is in order."""

    folder: Path
    manifest: Manifest
    files: tuple[SourceFile, ...]
    rulebook: Rulebook | None
    rulings: Rulings | None
    base: Ruleset | None
    found: tuple[Diagnostic | SourceFile | Ruleset, ...] = field(repr=False)
    """The findings in their order, or what has some."""
    beside: Mapping[str, Path] = field(default_factory=dict)
    """The folders of rules files that no manifest lists, by their paths: data that such a file names is looked for
    there first."""
    _tables: dict[tuple[Path, str], Table] = field(default_factory=dict, repr=False)
    _maps: dict[tuple[Path, str], MapFile] = field(default_factory=dict, repr=False)

    def __getstate__(self) -> dict[str, object]:
        """A pickle leaves out what is read on demand."""
        return {f.name: {} if f.name in ("_tables", "_maps") else getattr(self, f.name) for f in fields(self)}

    @property
    def path(self) -> str:
        """The folder as messages show it."""
        return shown(self.folder)

    @property
    def name(self) -> str:
        """The short name."""
        return self.manifest.name

    @property
    def title(self) -> str:
        """The name on the box."""
        return self.manifest.title

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All that is wrong with it; files that were not read so far are read."""
        return tuple(self._findings(every=True))

    def _findings(self, every: bool) -> Iterator[Diagnostic]:
        """The findings in their order; perhaps without those of files of scenarios."""
        for one in self.found:
            if isinstance(one, Diagnostic):
                yield one
            elif isinstance(one, Ruleset):
                yield from one._findings(every)
            elif every or one.role != "scenario":
                yield from one.diagnostics

    @cached_property
    def without_scenarios(self) -> Ruleset:
        """For the compiler: the ruleset without files that hold scenarios alone, which need not be read to play."""
        base = self.base.without_scenarios if self.base is not None else None
        left = {id(file) for file in self.files if file.holds_scenarios_alone}
        files = tuple(file for file in self.files if id(file) not in left)
        found = tuple(
            base if base is not None and one is self.base else one for one in self.found if id(one) not in left
        )
        return replace(self, files=files, base=base, found=found)

    @property
    def failed(self) -> bool:
        """True if there are errors."""
        return any(finding.is_error for finding in self.diagnostics)

    def of_role(self, role: Role) -> tuple[SourceFile, ...]:
        """The files of one role, in the manifest's order."""
        if role not in get_args(Role):
            raise invalid_argument("the role", role, f"it is one of {listing(get_args(Role))}")
        return tuple(file for file in self.files if file.role == role)

    @property
    def held_scenarios(self) -> tuple[SourceFile, ...]:
        """The files of scenarios of the ruleset it extends that hold here, too."""
        if self.base is None:
            return ()
        files = (*self.base.held_scenarios, *self.base.of_role("scenario"))
        return tuple(file for file in files if file.name in self.manifest.base_scenarios)

    @property
    def named_files(self) -> list[str]:
        """Data files that its rules name, without those of the rulesets it extends."""
        return data_files(file.file for file in self.files)

    @property
    def data_beside(self) -> list[Path]:
        """Data files that are named by rules files which no manifest lists, and lie beside these."""
        found = []
        for file in self.files:
            for name in data_files([file.file]) if file.path in self.beside else ():
                with suppress(RulesetError):
                    found.append(paths.inside(self.beside[file.path], name, NOWHERE))
        return [path for path in found if path.is_file()]

    @property
    def play_errors(self) -> tuple[Diagnostic, ...]:
        """The errors because of which nothing can be played: all but those in scenarios."""
        apart: set[str] = set()
        inside: set[Diagnostic] = set()
        one: Ruleset | None = self
        while one is not None:
            apart.update(file.path for file in one.of_role("scenario"))
            inside.update(*(in_scenarios(file.text, file.diagnostics) for file in one.of_role("variant")))
            one = one.base
        found = self._findings(every=False)
        return tuple(d for d in found if d.is_error and d.span.file not in apart and d not in inside)

    @property
    def characters(self) -> int:
        """The number of characters in its rules files and those of the rulesets it extends."""
        return sum(len(file.text) for file in self.files) + (self.base.characters if self.base is not None else 0)

    @property
    def tokens(self) -> int:
        """The words and signs of all its rules files, those of the rulesets it extends included."""
        return sum(_tokens(file.text) for file in self.files) + (self.base.tokens if self.base is not None else 0)

    @cached_property
    def statements(self) -> dict[str, Statement]:
        """The statements of its rulebook by their ids, and of the rulebooks of the rulesets it extends."""
        beneath = self.base.statements if self.base is not None else {}
        return beneath | (self.rulebook.by_id if self.rulebook is not None else {})

    def table(self, ref: str, where: Span = NOWHERE) -> Table:
        """For the compiler: the component table that the rules name at `where`; of an extended ruleset, if it is not in
        this one."""
        if ref.startswith(IN_RULES):
            return Table(ref, where.file, [], lambda row, column: where)
        key = self.table_key(ref, where)
        if key not in self._tables:
            self._tables[key] = load_table(*key, where)
        return self._tables[key]

    def table_key(self, ref: str, where: Span) -> tuple[Path, str]:
        """For the compiler: the folder of the component table `ref`, which the rules name at `where`, and `ref`."""
        return self._home(ref, where.file), ref

    def table_of(self, decl: ast.EnumDecl | ast.Piece) -> Table:
        """For the compiler: the table from which a declaration is read, with the rows that overlays have changed."""
        table = self.table(decl.table or "", decl.span)
        return edited(table, decl.name, decl.edits) if decl.edits else table

    def map_file(self, ref: str, where: Span = NOWHERE) -> MapFile:
        """For the compiler: the map file that the rules name at `where`; of an extended ruleset, if it is not in
        this one."""
        key = self._home(ref, where.file), ref
        if key not in self._maps:
            self._maps[key] = load_map(*key, where)
        return self._maps[key]

    def take_data_of(self, other: Ruleset) -> None:
        """For the compiler: take over the tables and maps that the same ruleset with the same data files has read
        already, but for data beside files that no manifest lists."""
        apart = {*self.beside.values(), *other.beside.values()}
        self._tables = {key: table for key, table in other._tables.items() if key[0] not in apart}
        self._maps = {key: found for key, found in other._maps.items() if key[0] not in apart}
        if self.base is not None and other.base is not None:
            self.base.take_data_of(other.base)

    def _home(self, ref: str, source: str) -> Path:
        """The folder that a data file belongs to which the rules file `source` names: that of a file which no manifest
        lists, the ruleset's own, or the first one of those that it extends; the first of these if it is in none."""
        name = ref.partition("#")[0]
        folders = self._folders(source)
        with suppress(RulesetError, OSError):
            return next((one for one in folders if paths.inside(one, name, NOWHERE).is_file()), folders[0])
        return folders[0]

    def _folders(self, source: str) -> list[Path]:
        """The folders in which data files are looked for that a rules file names, the first place first."""
        found = [self.beside[source]] if source in self.beside else []
        ruleset: Ruleset | None = self
        while ruleset is not None:
            found.append(ruleset.folder)
            ruleset = ruleset.base
        return found

    @cached_property
    def digest(self) -> str:
        """Hash of everything that play depends on: manifest, rules, variants, and the data files they name.

        Scenarios, rulebook and rulings do not count, so a save outlives a new scenario; nor do line ends.
        """
        hashed = sha256()
        manifest = self.manifest.source.text if self.manifest.source is not None else ""
        parts = [(FILE, manifest)]
        played = [file for file in self.files if file.role != "scenario"]
        parts += [(Path(file.path).name, file.text) for file in played]
        named = {(name, self._home(name, file.path)) for file in played for name in data_files([file.file])}
        for name, home in sorted(named):
            try:
                parts.append((name, paths.read_text(paths.inside(home, name, NOWHERE))))
            except RulesetError:
                parts.append((name, ""))
        if self.base is not None:
            parts.append(("extends", self.base.digest))
        for name, text in parts:
            for piece in (name.encode(), text.encode()):
                hashed.update(len(piece).to_bytes(8, "big") + piece)
        return hashed.hexdigest()


def load_ruleset(name_or_path: str | Path, parser: Parser | None = None, scenarios: bool = False) -> Ruleset:
    """Find and read a ruleset; :class:`RulesetError` if there is none or its manifest is unusable.

    The parser reads its rules files, given their text and their name. Files that hold scenarios alone are read when
    somebody asks what they say, unless the parser is to read `scenarios`, too.
    """
    return _load(find_ruleset(name_or_path), (), _Reading(parser or parsed, scenarios))


def with_variants(ruleset: Ruleset, name: str | Path, parser: Parser | None = None) -> tuple[Ruleset, tuple[str, ...]]:
    """The ruleset with one more file of variants, which need not lie in its folder, and their titles."""
    path = Path(name)
    text = paths.read_text(path)
    result = (parser or parsed)(text, shown(path))
    titles = tuple(decl.title for decl in result.file.decls if isinstance(decl, ast.Variant))
    findings = list(result.diagnostics)
    if not titles and not findings:
        findings.append(Diagnostic("VAR407", f"there is no variant in `{shown(path)}`", Span(shown(path))))
    if titles and any(file.path == shown(path) for file in ruleset.files):
        return ruleset, titles
    source = source_of(shown(path), text, ParseResult(result.file, tuple(findings)), "variant")
    apart = {**ruleset.beside, source.path: path.parent}
    return replace(ruleset, files=(*ruleset.files, source), found=(*ruleset.found, source), beside=apart), titles


def with_scenarios(ruleset: Ruleset, name: str | Path) -> Ruleset:
    """The ruleset with one more file of scenarios, which need not lie in its folder."""
    path = Path(name)
    text = paths.read_text(path)
    source = source_of(shown(path), text, parsed(text, shown(path)), "scenario")
    others = tuple(file for file in ruleset.files if file.path != source.path)
    return replace(ruleset, files=(*others, source), found=(*ruleset.found, source))


@dataclass(frozen=True)
class _Reading:
    """A way to read rules files."""

    parser: Parser
    scenarios: bool
    """True if those that hold scenarios alone are read at once."""


def _load(folder: Path, chain: tuple[Path, ...], reading: _Reading) -> Ruleset:
    manifest = load_manifest(folder)
    found: list[Diagnostic | SourceFile | Ruleset] = []
    base: Ruleset | None = None
    if manifest.extends:
        try:
            base = _base(folder, manifest, (*chain, folder.resolve()), reading)
            found.append(base)
        except RulesetError as error:
            found.extend(error.diagnostics)
    files: list[SourceFile] = []
    roles: tuple[tuple[str, tuple[str, ...], Role], ...] = (
        ("rules", manifest.rules, "rules"),
        ("variants", manifest.variants, "variant"),
        ("scenarios", manifest.scenarios, "scenario"),
    )
    listed = sum(len(names) for _, names, _ in roles)
    if listed > limits.FILES:
        found.append(over_limit("files are listed here", listed, limits.FILES, manifest.span()))
        roles = ()
    characters = base.characters if base is not None else 0
    tokens = base.tokens if base is not None else 0
    for key, names, role in roles:
        for number, name in enumerate(names):
            if characters > limits.ALL_CHARACTERS:
                found.append(_too_long(characters, manifest.span(key, number)))
                break
            try:
                where = manifest.span(key, number)
                path = paths.inside(folder, name, where)
                text = paths.read_text(path, where)
                tokens += _tokens(text)
                if tokens > limits.ALL_TOKENS:
                    found.append(_too_many(tokens, where))
                    break
                files.append(_source(path, text, name, role, reading))
            except RulesetError as error:
                found.extend(error.diagnostics)
            else:
                found.append(files[-1])
                characters += len(files[-1].text)
        if characters > limits.ALL_CHARACTERS or tokens > limits.ALL_TOKENS:
            break
    if base is not None:
        found.extend(_not_held(manifest, base))
        manifest = manifest.upon(base.manifest)
    rulebook: Rulebook | None = base.rulebook if base is not None else None
    rulings: Rulings | None = base.rulings if base is not None else None
    try:
        if manifest.rulebook:
            rulebook = load_rulebook(folder, manifest.rulebook, manifest.span("rulebook"))
            found.extend(rulebook.findings)
            if base is not None and base.rulebook is not None:
                found.extend(rulebook.upon(base.rulebook))
                rulings = rulings.beneath(rulebook) if rulings is not None else None
    except RulesetError as error:
        found.extend(error.diagnostics)
    try:
        if manifest.rulings:
            rulings = load_rulings(folder, manifest.rulings, rulebook, manifest.span("rulings"), rulings)
            found.extend(rulings.findings)
            if rulebook is not None and rulings.base is not None:
                found.extend(rulings.not_counterparts(rulebook))
    except RulesetError as error:
        found.extend(error.diagnostics)
    return Ruleset(folder, manifest, tuple(files), rulebook, rulings, base, tuple(found))


def _too_long(characters: int, where: Span) -> Diagnostic:
    what = "characters are in the rules files up to this one"
    return over_limit(what, characters, limits.ALL_CHARACTERS, where, "this file and those after it are not read")


def _too_many(tokens: int, where: Span) -> Diagnostic:
    what = "words and signs are in the rules files up to this one"
    return over_limit(what, tokens, limits.ALL_TOKENS, where, "this file and those after it are not read")


_COMMENT = re.compile(r"#.*")
_TOKEN = re.compile(r"\w+|[^\w\s]")


@lru_cache(maxsize=256)
def _tokens(text: str) -> int:
    """The words and signs of a text, comments left out: nearly those of the language, and much quicker to count."""
    return sum(1 for _ in _TOKEN.finditer(_COMMENT.sub("", text)))


def _base(folder: Path, manifest: Manifest, chain: tuple[Path, ...], reading: _Reading) -> Ruleset:
    where = manifest.span("extends")
    named = Path(manifest.extends)
    target = extended_folder(folder, manifest.extends, where)
    if not (target / FILE).is_file():
        near = [path.parent.name for path in folder.parent.glob(f"*/{FILE}") if path.parent != folder]
        near += [path.name for path in shipped_rulesets()]
        hint = did_you_mean(named.name, near) or "name the folder of a ruleset, such as `../name`"
        raise RulesetError(
            Diagnostic("DAT021", f"there is no ruleset `{manifest.extends}`", where, hint=hint, path="extends")
        )
    plain = Path(normpath(target))
    if plain.exists() and plain.samefile(target):
        target = plain  # for messages: without `/../`
    if target.resolve() in chain:
        message = f"`{manifest.name}` extends itself through `{manifest.extends}`"
        raise RulesetError(Diagnostic("DAT022", message, where, path="extends"))
    if len(chain) > limits.EXTENDED:
        message = f"a chain of more than {limits.EXTENDED} rulesets that extend each other"
        raise RulesetError(Diagnostic("DAT022", message, where, path="extends"))
    return _load(target, chain, reading)


def _not_held(manifest: Manifest, base: Ruleset) -> list[Diagnostic]:
    """Scenarios that are said to hold here, too, and that the extended ruleset does not have."""
    known = (*base.manifest.base_scenarios, *base.manifest.scenarios)
    found = []
    for number, name in enumerate(manifest.base_scenarios):
        if name not in known:
            message = f"`{name}` is not a scenario file of {base.title}"
            hint = did_you_mean(name, known) or (f"there is {listing(known)}" if known else "it has none")
            where = manifest.span("base_scenarios", number)
            found.append(Diagnostic("DAT002", message, where, hint=hint, path=f"base_scenarios[{number}]"))
    return found


def _source(path: Path, text: str, name: str, role: Role, reading: _Reading) -> SourceFile:
    later = unread(shown(path), text, role, name)
    if later.holds_scenarios_alone and not reading.scenarios:
        return later
    return source_of(later.path, text, reading.parser(text, later.path), role, name)
