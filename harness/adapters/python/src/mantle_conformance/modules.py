"""Python modules of a project: what one project imported must not be seen by the next.

Also where a project finds what lies outside of it: `lib.world`, and packages that are said to be installed.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import linecache
import sys
import types
from collections.abc import Callable, Sequence
from pathlib import Path

WORLD = "lib.world"
"""The module through which a project reaches the outside."""


def is_below(file: object, root: Path) -> bool:
    """Whether a module's file, or one of its folders, lies in a project."""
    return isinstance(file, str) and Path(file).is_relative_to(root)


def purge(root: Path) -> list[str]:
    """Forgets every module that came from a project, and whatever Python remembers of its files."""
    gone = []
    for name, module in list(sys.modules.items()):
        folders = [str(folder) for folder in getattr(module, "__path__", None) or ()]
        places = [getattr(module, "__file__", None), *folders]
        if name == "lib" or name.startswith("lib.") or any(is_below(place, root) for place in places):
            del sys.modules[name]
            gone.append(name)
    for folder in list(sys.path_importer_cache):
        if is_below(folder, root):
            del sys.path_importer_cache[folder]
    importlib.invalidate_caches()
    linecache.clearcache()
    return gone


class _Loader(importlib.abc.Loader):
    def __init__(self, fill: Callable[[types.ModuleType], None]) -> None:
        self._fill = fill

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        self._fill(module)


class _WorldFinder(importlib.abc.MetaPathFinder):
    """Finds `lib.world`, before anything of the project of that name."""

    def __init__(self, fill: Callable[[types.ModuleType], None]) -> None:
        self._fill = fill

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != WORLD:
            return None
        return importlib.machinery.ModuleSpec(fullname, _Loader(self._fill))


class _LastFinder(importlib.abc.MetaPathFinder):
    """Finds what nobody else does: `lib` of a project without such a folder, and packages said to be installed."""

    def __init__(self, packages: frozenset[str]) -> None:
        self._packages = packages

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.split(".")[0] in self._packages:
            return importlib.machinery.ModuleSpec(fullname, _Loader(_anything), is_package=True)
        if fullname == "lib":
            return importlib.machinery.ModuleSpec(fullname, _Loader(lambda _: None), is_package=True)
        return None


class Stub:
    """A stand-in for something of a package that is said to be installed; it can only be named and called."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __call__(self, *arguments: object, **keywords: object) -> Stub:
        return Stub(f"{self.__name__}()")

    def __getattr__(self, name: str) -> Stub:
        if name.startswith("_"):
            raise AttributeError(name)
        return Stub(f"{self.__name__}.{name}")


def _anything(module: types.ModuleType) -> None:
    def attribute(name: str) -> Stub:
        if name.startswith("_"):
            raise AttributeError(name)
        return Stub(f"{module.__name__}.{name}")

    module.__getattr__ = attribute  # type: ignore[method-assign]


class Outfit:
    """What a project may import besides its own files, from `install` until `remove`."""

    def __init__(self, packages: Sequence[str], fill_world: Callable[[types.ModuleType], None]) -> None:
        self._first = _WorldFinder(fill_world)
        self._last = _LastFinder(frozenset(packages))

    def install(self) -> None:
        """Makes it importable."""
        sys.meta_path.insert(0, self._first)
        sys.meta_path.append(self._last)

    def remove(self) -> None:
        """Makes it unimportable."""
        for finder in (self._first, self._last):
            if finder in sys.meta_path:
                sys.meta_path.remove(finder)
        for name, module in list(sys.modules.items()):
            spec = getattr(module, "__spec__", None)
            if isinstance(getattr(spec, "loader", None), _Loader):
                del sys.modules[name]
