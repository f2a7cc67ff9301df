"""Chooses the extension: that of hopwave-cu13, which searches on GPUs, if it is installed in this version; otherwise hopwave's
own."""

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
    """Returns its extension; None: there is none, or one of another version, with a warning."""
    found = importlib.util.find_spec(_PLUG_IN)
    if found is None or found.origin is None:
        return None
    theirs = importlib.import_module(_PLUG_IN).__version__
    if theirs != __version__:
        warnings.warn(
            f"hopwave {__version__} does not match hopwave-cu13 {theirs}: searching without it. "
            f'pip install "hopwave-cu13=={__version__}" installs the matching one.',
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
    """Replaces hopwave's extension by the plug-in's, under the same name. Importing does not call the driver: the extension
    does so when a search needs a GPU, so a process may still fork after the import."""
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
    """If the plug-in is installed and a search finds no GPU, warns once per process."""
    global _said
    if _said or PLUG_IN is None:
        return
    for note in notes:
        if note.startswith("no GPU (") or note.startswith("the GPU could not be used ("):
            _said = True
            warnings.warn(f"hopwave-cu13 is installed, but: {note}", RuntimeWarning, stacklevel=4)
            return
