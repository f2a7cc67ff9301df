"""The exception for every error of the library."""

from __future__ import annotations

from typing import Any

from ._words import in_python


class Error(Exception):
    """What went wrong, where, and what to do about it. `str()` is the library's message.

    `id` is stable ("HW-MTX-INDEX"); docs/errors.md lists all ids. `hint` states what to do, and may be empty. `file`,
    `line` and `column` are the place in an input; an empty `file` and 0 mean that there is none.
    """

    def __init__(
        self, message: str, id: str, hint: str = "", failure: int = 3, file: str = "", line: int = 0, column: int = 0
    ) -> None:
        # all of them, so that pickle can recreate the exception in another process
        super().__init__(message, id, hint, failure, file, line, column)
        self.id = id
        self.hint = hint
        self.failure = failure
        self.file = file
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return str(self.args[0])


def made(message: str, id: str, hint: str = "", failure: int = 2) -> Error:
    """Returns an error of this package, in the library's form: the id in the message, and the hint on a second line."""
    return Error(f"{message} [{id}]" + (f"\n  hint: {hint}" if hint else ""), id, hint, failure)


def unknown(id: object) -> Error:
    return made(f"no vertex is called {id!r}", "HW-IDS-UNKNOWN")


def of_library(message: str, id: str, hint: str, *place: Any) -> Error:
    """Returns the library's error; the extension calls this. The message ends with the hint."""
    return Error(in_python(message), id, in_python(hint), *place)
