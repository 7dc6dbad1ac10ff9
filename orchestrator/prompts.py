"""Prompt templates: an operator's words around other people's text, rendered in a sandbox.

Law: text from outside is only ever the value of a variable, never a template. Templates are configuration:
they are compiled before anything runs, an undefined variable is an error, and every error names
`prompts/x.j2:line`. Jinja2 is loaded at the first template.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from orchestrator.errors import Fault, WorkspaceInvalid
from orchestrator.sandbox import bounded, sandbox

if TYPE_CHECKING:
    from jinja2 import Template
    from jinja2.nodes import Node
    from jinja2.nodes import Template as Tree
    from jinja2.sandbox import ImmutableSandboxedEnvironment

_MAX_SOURCE = 1 << 20


@dataclass(slots=True)
class Prompts:
    """The templates of one folder, each compiled once; a later edit of a file is not seen.

    A template that the folder has not is taken from `shipped`, so that a workspace holds only those it
    changes. `given` says which variables a template is handed where that is known beforehand. Every method
    raises WorkspaceInvalid with a located fault where a template is missing or wrong.
    """

    folder: Path
    shipped: Path | None = None
    given: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    _compiled: "ImmutableSandboxedEnvironment | None" = field(default=None, init=False, repr=False)
    _sources: dict[str, str] = field(default_factory=dict[str, str], init=False, repr=False)
    _are_whole: bool = field(default=False, init=False, repr=False)

    def render(self, name: str, variables: Mapping[str, object]) -> str:
        """The template's text with these variables; one that it uses and is not given is an error."""
        template = self._template(name)
        try:
            return bounded(template.generate(dict(variables)))
        except WorkspaceInvalid:
            raise
        except Exception as error:
            raise WorkspaceInvalid((self._located(error, name),)) from error

    def variables(self, name: str) -> frozenset[str]:
        """What must be given to `render`: the free names of the template and of all it includes."""
        return self._free_names(name, ())

    def names(self) -> tuple[str, ...]:
        """The templates there are, sorted: every `*.j2`, sub-folders with `/`."""
        return tuple(
            sorted({*_templates_in(self.folder), *(_templates_in(self.shipped) if self.shipped else ())})
        )

    def changed_names(self) -> tuple[str, ...]:
        """Those of the folder itself, sorted, without those that are as they are shipped."""
        return tuple(sorted(name for name in _templates_in(self.folder) if not self._is_as_shipped(name)))

    def closure(self, names: Iterable[str]) -> frozenset[str] | None:
        """These templates, and all that they take in; None where one of them names another by what it is
        given, so that nobody can tell."""
        found, waiting = set[str](), list(names)
        while waiting:
            name = waiting.pop()
            if name in found:
                continue
            found.add(name)
            others = [other for _, other in _references(self._tree(name))]
            if None in others:
                return None
            waiting += [other for other in others if other in self.names()]
        return frozenset(found)

    def sources(self) -> Mapping[str, str]:
        """The text of every template, by its name."""
        return {name: self._source(name) for name in self.names()}

    def compile_all(self) -> None:
        """Compile every template, so that nothing is left to go wrong but the values. Raises all faults.

        Once they are found whole, this costs nothing more: it is asked before every run.
        """
        if self._are_whole:
            return
        faults = tuple(self.faults())
        if faults:
            raise WorkspaceInvalid(faults)
        self._are_whole = True

    def faults(self) -> Iterator[Fault]:
        """What is wrong with the templates: what does not compile, and variables that are not given."""
        for name in sorted({*self.names(), *self.given}):
            try:
                self._template(name)
                asked = self.variables(name)
            except WorkspaceInvalid as invalid:
                yield from invalid.faults
                continue
            given = self.given.get(name, asked)
            if not asked <= given:
                unknown, known = ", ".join(sorted(asked - given)), ", ".join(sorted(given))
                yield self._fault(name, f"it uses {unknown}, and is given only {known}", 0)

    @property
    def _environment(self) -> "ImmutableSandboxedEnvironment":
        if self._compiled is None:
            from jinja2 import FunctionLoader

            loader = FunctionLoader(self._load)
            self._compiled = sandbox(loader=loader, auto_reload=False, cache_size=-1)
        return self._compiled

    def _template(self, name: str) -> "Template":
        from jinja2 import TemplateError

        try:
            return self._environment.get_template(name)
        except TemplateError as error:
            raise WorkspaceInvalid((self._located(error, name),)) from error

    def _load(self, name: str) -> tuple[str, str, None] | None:
        """What Jinja2 asks of a loader: the source, and the name that tracebacks show; None for no file."""
        if _stays_inside(self.folder, name) and not self._path(name).is_file():
            return None
        return self._source(name), name, None

    def _source(self, name: str) -> str:
        if name not in self._sources:
            self._sources[name] = self._read(name)
        return self._sources[name]

    def _read(self, name: str) -> str:
        if not _stays_inside(self.folder, name):
            raise self._refused(name, "a template's name may not leave the folder of templates")
        path = self._path(name)
        if not path.is_file():
            raise self._refused(name, self._missing())
        raw = path.read_bytes()
        if len(raw) > _MAX_SOURCE:
            raise self._refused(
                name, f"{len(raw):,} bytes are more than a template may have ({_MAX_SOURCE:,})"
            )
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as error:
            line = raw[: error.start].count(b"\n") + 1
            raise self._refused(name, f"byte {raw[error.start]:#04x} is not UTF-8", line) from error

    def _is_as_shipped(self, name: str) -> bool:
        there = None if self.shipped is None else self.shipped / name
        return there is not None and there.is_file() and there.read_bytes() == self._path(name).read_bytes()

    def _path(self, name: str) -> Path:
        """The file of a template: the folder's own, else the shipped one."""
        own = self.folder / name
        return own if self.shipped is None or own.is_file() else self.shipped / name

    def _missing(self) -> str:
        return f"there is no such template; there are: {', '.join(self.names()) or 'nothing'}"

    def _free_names(self, name: str, above: tuple[str, ...]) -> frozenset[str]:
        from jinja2 import meta, nodes

        if name in above:
            return frozenset()
        tree = self._tree(name)
        free = set(meta.find_undeclared_variables(tree))
        bound = {n.name for n in tree.find_all(nodes.Name) if n.ctx != "load"}
        for node, other in _referenced(tree):
            try:
                names = self._free_names(other, (*above, name))
            except WorkspaceInvalid as invalid:
                raise self._at_reference(invalid, name, node.lineno) from invalid
            if getattr(node, "with_context", True):
                free |= names - bound
        return frozenset(free)

    def _tree(self, name: str) -> "Tree":
        from jinja2 import TemplateSyntaxError

        try:
            return self._environment.parse(self._source(name), name, name)
        except TemplateSyntaxError as error:
            raise WorkspaceInvalid((self._located(error, name),)) from error

    def _at_reference(self, invalid: WorkspaceInvalid, name: str, line: int) -> WorkspaceInvalid:
        """A template that cannot be had is the fault of the line that names it; others keep their place."""
        fault = invalid.faults[0]
        if fault.line:
            return invalid
        return self._refused(name, f"{fault.file}: {fault.message}", line)

    def _refused(self, name: str, message: str, line: int = 0) -> WorkspaceInvalid:
        return WorkspaceInvalid((self._fault(name, message, line),))

    def _located(self, error: Exception, name: str) -> Fault:
        """The fault at the innermost line of a template that the error passed through."""
        from jinja2 import TemplateNotFound, TemplateSyntaxError

        if isinstance(error, TemplateSyntaxError):
            return self._fault(error.name or name, error.message or "syntax error", error.lineno)
        if isinstance(error, TemplateNotFound) and error.name == name:
            return self._fault(name, self._missing(), 0)
        place, line = name, 0
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename in self._sources:
                place, line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
            trace = trace.tb_next
        return self._fault(place, _said(error), line)

    def _fault(self, name: str, message: str, line: int) -> Fault:
        lines = self._sources.get(name, "").splitlines()
        source = lines[line - 1].rstrip() if 0 < line <= len(lines) else ""
        return Fault(f"{self.folder.name}/{name}", line, 1 if line else 0, "", message, source)


def check_prompts(folder: Path) -> tuple[Fault, ...]:
    """Compile every template of the folder; all faults, each with its line."""
    try:
        Prompts(folder).compile_all()
    except WorkspaceInvalid as invalid:
        return invalid.faults
    return ()


def _templates_in(folder: Path) -> Iterator[str]:
    return (p.relative_to(folder).as_posix() for p in folder.rglob("*.j2") if p.is_file())


def _stays_inside(folder: Path, name: str) -> bool:
    """No absolute name, no `..`, no link that leads out."""
    pure = PurePosixPath(name)
    if not name or pure.is_absolute() or ".." in pure.parts or "\\" in name or "\0" in name:
        return False
    return (folder / name).resolve().is_relative_to(folder.resolve())


def _referenced(tree: "Tree") -> Iterator[tuple["Node", str]]:
    """The nodes that name another template by a literal, and must find it."""
    return ((node, name) for node, name in _references(tree) if name is not None and not _may_miss(node))


def _references(tree: "Tree") -> Iterator[tuple["Node", str | None]]:
    """The nodes that take another template in, with its name; None where it is no literal."""
    from jinja2 import nodes

    for node in tree.find_all((nodes.Include, nodes.Extends, nodes.Import, nodes.FromImport)):
        named = node.template
        if isinstance(named, nodes.Const) and isinstance(named.value, str):
            yield node, named.value
        else:
            yield node, None


def _may_miss(node: "Node") -> bool:
    return bool(getattr(node, "ignore_missing", False))


def _said(error: Exception) -> str:
    """The error in an operator's words."""
    from jinja2 import TemplateError, TemplateNotFound

    if isinstance(error, RecursionError):
        return "templates or macros call each other without end"
    if isinstance(error, TemplateNotFound):
        return f"there is no template {error.name!r}"
    if isinstance(error, TemplateError):
        return error.message or type(error).__name__
    return f"{type(error).__name__}: {error}"
