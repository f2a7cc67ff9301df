"""Chooses the extension: that of hopwave-cu13, which searches on GPUs, where it is installed and of this version; else hopwave's own."""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import sys
import warnings
from pathlib import Path
from types import ModuleType

from ._version import __version__

_PLUG_IN = "hopwave_cu13"
_NAME = f"{__package__}._core"


def _plug_in() -> Path | None:
    """Its extension; None: there is none, or another version's, which a warning says."""
    found = importlib.util.find_spec(_PLUG_IN)
    if found is None or found.origin is None:
        return None
    theirs = importlib.import_module(_PLUG_IN).__version__
    if theirs != __version__:
        warnings.warn(
            f"hopwave {__version__} does not go with hopwave-cu13 {theirs}: searching without it. "
            f'pip install "hopwave-cu13=={__version__}" puts that right.',
            RuntimeWarning,
            stacklevel=4,
        )
        return None
    for suffix in importlib.machinery.EXTENSION_SUFFIXES:
        path = Path(found.origin).with_name(f"_core{suffix}")
        if path.exists():
            return path
    warnings.warn("hopwave-cu13 has no extension: searching without it", RuntimeWarning, stacklevel=4)
    return None


def load() -> ModuleType | None:
    """Puts the plug-in's extension in the place of hopwave's own, under its name. Nothing here asks the driver: the extension
    does when a search wants a GPU, so that a process may still fork after the import."""
    path = _plug_in()
    if path is None:
        return None
    spec = importlib.util.spec_from_file_location(_NAME, path)
    if spec is None or spec.loader is None:
        return None
    try:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except ImportError as error:
        warnings.warn(f"hopwave-cu13 cannot be loaded ({error}): searching without it", RuntimeWarning, stacklevel=3)
        return None
    sys.modules[_NAME] = module
    setattr(sys.modules[__package__], "_core", module)  # as an import would
    return module


PLUG_IN = load()
_said = False


def say_once(notes: list[str]) -> None:
    """With the plug-in installed, a search that finds no GPU says so, once a process."""
    global _said
    if _said or PLUG_IN is None:
        return
    for note in notes:
        if note.startswith("no GPU (") or note.startswith("the GPU could not be used ("):
            _said = True
            warnings.warn(f"hopwave-cu13 is installed, but: {note}", RuntimeWarning, stacklevel=4)
            return
