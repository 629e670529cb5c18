"""Rulesets as they were at a revision in git: `REV:path`, with what they extend at that revision.

Only objects are read (`git cat-file`), so that nothing a repository configures is run. `:path` is
the file as it is staged.
"""

from __future__ import annotations

import os
import posixpath
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ruleengine.diagnostics import Diagnostic, RulesetError, Span
from ruleengine.errors import RuleEngineError, quote
from ruleengine.ruleset.find import Folders, folders, is_id
from ruleengine.ruleset.read import read_ruleset_from
from ruleengine.source import MAX_BYTES, decode

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ruleengine.ruleset.read import ReadRuleset

TIMEOUT = 60
"""Seconds that one call of git may take."""
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_FILE = frozenset({"100644", "100755", "100664"})
"""The modes of plain files."""


class RevisionError(RuleEngineError):
    """A file at a revision in git that cannot be read; `help` says what might be meant."""

    code = "U106"

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.help = help


def is_revision(text: str) -> bool:
    """Whether a text is `REV:path`; a file that is there, and a Windows drive, are not."""
    return ":" in text and not _DRIVE.match(text) and not os.path.exists(text)


def read_revision(text: str, extra: tuple[Path, ...] = ()) -> ReadRuleset:
    """Read the ruleset at `REV:path`. `extra` are the folders searched for what it extends.

    Raises `RevisionError` where git cannot give the file, `RulesetError` for its mistakes.
    """
    revision, _, path = text.partition(":")
    repository = Repository.here()
    tree = repository.tree(revision)
    place = repository.place(path, text)
    found = repository.entry(tree, place)
    if found is None:
        raise _no_file(repository, tree, revision, path)
    if found.mode not in _FILE:
        what = {"120000": "a link", "040000": "a folder"}.get(found.mode, "no plain file")
        raise RevisionError(f"{quote(text)} is {what}, not a file")
    name = f"{revision}:{place}"
    library = _AtRevision(repository, revision, tree, posixpath.dirname(place), extra)
    return read_ruleset_from(library, repository.text(found, name), name)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A file or folder in a tree of git."""

    mode: str
    hash: str
    size: int | None
    path: str


@dataclass(frozen=True, slots=True)
class Repository:
    """The repository of the working folder. `top` is its working tree, None for a bare one, and
    `prefix` the working folder in it."""

    git: str
    top: Path | None
    prefix: str

    @classmethod
    def here(cls) -> Repository:
        """The repository that the working folder is in. Raises `RevisionError`."""
        git = shutil.which("git")
        if git is None:
            raise RevisionError("git is needed to read a revision, and is not installed here")
        done = _run(git, "rev-parse", "--git-dir")
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            reason = said[0].removeprefix("fatal: ") if said else None
            if reason is not None and reason.startswith("not a git repository"):
                reason = None
            raise RevisionError("the working folder is in no git repository", reason)
        top = _run(git, "rev-parse", "--show-toplevel")
        prefix = _run(git, "rev-parse", "--show-prefix")
        folder = Path(os.fsdecode(top.stdout).rstrip("\n")) if not top.returncode else None
        return cls(git, folder, os.fsdecode(prefix.stdout).rstrip("\n"))

    def tree(self, revision: str) -> str | None:
        """The tree of a revision, None for what is staged. Raises `RevisionError`."""
        if not revision:
            return None
        if not revision.startswith("-") and "\0" not in revision:
            wanted = f"{revision}^{{tree}}"
            done = _run(self.git, "rev-parse", "--verify", "--quiet", "--end-of-options", wanted)
            name = done.stdout.decode("ascii", "replace").split()
            if not done.returncode and name:
                return name[-1]
        message = f"there is no revision {quote(revision)} in this git repository"
        raise RevisionError(message, "such as HEAD, HEAD~1, a branch, a tag or a commit")

    def place(self, path: str, text: str) -> str:
        """A path from the top of the repository; `./` and `../` are from the working folder.
        Raises `RevisionError` for one that leads out of it."""
        start = self.prefix if path.startswith(("./", "../")) else ""
        place = posixpath.normpath(posixpath.join(start, path)) if path else ""
        if place in ("", ".") or "\0" in place:
            raise RevisionError(f"{quote(text)} names no file", "write REV:path/to/ruleset.yaml")
        if place.startswith(("/", "../")) or place == "..":
            message = f"the path of {quote(text)} leads out of the git repository"
            raise RevisionError(message, "a path is from the top of the repository, or begins ./")
        return place

    def entry(self, tree: str | None, place: str) -> _Entry | None:
        """What stands at a path, None where there is nothing."""
        found = (one for one in self._listed(tree, place) if one.path == place)
        return next(found, None)

    def files(self, tree: str | None, folder: str) -> Iterator[_Entry]:
        """The files of a folder, not those in folders in it."""
        for one in self._listed(tree, f"{folder}/" if folder else ""):
            if posixpath.dirname(one.path) == folder and one.mode in _FILE:
                yield one

    def text(self, entry: _Entry, name: str) -> str:
        """The text of a file; `name` names it in errors. Raises `RulesetError`."""
        if entry.size is not None and entry.size > MAX_BYTES + 3:
            message = f"the file is larger than {MAX_BYTES // 1024} KiB"
            raise RulesetError([Diagnostic("E102", message, Span(name, 1, 1, 1, 1))])
        done = _run(self.git, "cat-file", "blob", entry.hash)
        if done.returncode:
            raise RevisionError(f"git cannot give {quote(name)}")
        return decode(done.stdout, name)

    def _listed(self, tree: str | None, place: str) -> Iterator[_Entry]:
        paths = ["--", place] if place else []
        if tree is None:
            done = _run(self.git, "ls-files", "--full-name", "-s", "-z", *_from_top(paths))
        else:
            done = _run(self.git, "ls-tree", "--full-tree", "-l", "-z", tree, *paths)
        for row in done.stdout.split(b"\0"):
            head, tab, path = row.partition(b"\t")
            words = head.decode("ascii", "replace").split()
            if not tab or len(words) < 3:
                continue
            hash_ = words[1] if tree is None else words[2]
            size = int(words[3]) if tree is not None and words[3].isdigit() else None
            if tree is None and words[2] != "0":
                continue
            if size is None and words[0] in _FILE:
                size = self._size(hash_)
            yield _Entry(words[0], hash_, size, os.fsdecode(path))

    def _size(self, hash_: str) -> int | None:
        done = _run(self.git, "cat-file", "-s", hash_)
        return int(done.stdout) if not done.returncode and done.stdout.strip().isdigit() else None


@dataclass(frozen=True, slots=True)
class _AtRevision:
    """The rulesets beside a file at a revision, then those of further folders: at the same revision
    where the repository has them, else as they are."""

    repository: Repository
    revision: str
    tree: str | None
    folder: str
    extra: tuple[Path, ...]

    def ids(self) -> Mapping[str, str]:
        """Every ruleset that can be named, with its path."""
        found: dict[str, str] = {}
        self._add(found, self.folder)
        for folder in folders(self.extra):
            inside = self._inside(folder)
            if inside is None or not self._add(found, inside):
                for path in sorted(folder.glob("*.yaml")) if folder.is_dir() else ():
                    if is_id(path.stem):
                        found.setdefault(path.stem, str(path))
        return dict(sorted(found.items()))

    def text(self, path: str) -> str:
        """The text at such a path. Raises `RulesetError`."""
        revision, colon, place = path.partition(":")
        if colon and revision == self.revision:
            entry = self.repository.entry(self.tree, place)
            if entry is not None:
                return self.repository.text(entry, path)
        return Folders(self.extra).text(path)

    def _add(self, found: dict[str, str], folder: str) -> bool:
        """Add the rulesets of a folder at the revision; whether there are any."""
        any_ = False
        for one in self.repository.files(self.tree, folder):
            name, ending = posixpath.splitext(posixpath.basename(one.path))
            if ending == ".yaml" and is_id(name):
                found.setdefault(name, f"{self.revision}:{one.path}")
                any_ = True
        return any_

    def _inside(self, folder: Path) -> str | None:
        """A folder by its path in the repository, None where it is elsewhere."""
        top = self.repository.top
        try:
            return None if top is None else folder.resolve().relative_to(top.resolve()).as_posix()
        except ValueError:
            return None


def _no_file(repository: Repository, tree: str | None, revision: str, path: str) -> RevisionError:
    where = f"at {quote(revision)}" if revision else "among what is staged"
    help_line = None
    if repository.prefix and not path.startswith(("./", "../")):
        beside = posixpath.normpath(posixpath.join(repository.prefix, path))
        if not beside.startswith("..") and repository.entry(tree, beside) is not None:
            help_line = f"did you mean '{revision}:./{path}'?"
    return RevisionError(f"there is no file {quote(path)} {where}", help_line)


def _from_top(paths: list[str]) -> list[str]:
    """Paths that are from the top of the working tree wherever git is called."""
    return ["--", *(f":(top,literal){path}" for path in paths[1:])] if paths else ["--", ":(top)"]


def _run(git: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Call git. Raises `RevisionError` where it does not answer."""
    variables = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"}
    try:
        return subprocess.run(
            [git, "-c", "core.fsmonitor=false", *arguments],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=TIMEOUT,
            env={**os.environ, **variables},
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        raise RevisionError("git did not answer") from None
