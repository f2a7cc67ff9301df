"""The functions that NetworkX calls: hopwave's, or NetworkX's own where hopwave's cannot give the same answer."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx

from . import FUNCTIONS
from .converted import Converted, Given
from .registry import OURS
from .rules import bound, left
from .touched import is_limited


_THEIRS: dict[str, Any] = vars(nx.utils.backends)["_registered_algorithms"]


class _Call:
    """One call of a function, for a graph that has not been read."""

    def __init__(self, name: str, graph: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.name, self.args, self.kwargs = name, args, kwargs
        self.given = graph if isinstance(graph, Given) else Given(graph)
        self.words = bound(name, (self.given.original, *args), kwargs)

    def is_left(self) -> bool:
        return left(self.name, self.words) is not None

    def read(self) -> Converted | None:
        """Returns the graph; None: NetworkX reads the graph itself, and reports what is wrong with it."""
        try:
            return self.given.read(self.name, self.words)
        except MemoryError:
            raise
        except Exception:
            return None

    def ours(self, graph: Converted) -> Any:
        return OURS[self.name](graph, *self.args, **self.kwargs)

    def note_share(self, graph: Converted) -> None:
        if not is_limited(self.name, self.words):
            graph.note_share()

    def theirs(self) -> Any:
        return _THEIRS[self.name](self.given.original, *self.args, **self.kwargs, backend="networkx")

    def value(self) -> Any:
        if not self.is_left() and (graph := self.read()) is not None:
            try:
                value = self.ours(graph)
                self.note_share(graph)
                return value
            except (nx.NetworkXException, NotImplementedError, MemoryError):  # as in NetworkX; or it takes over itself
                raise
            except Exception:  # an unknown kind of argument: NetworkX decides what it means
                pass
        return self.theirs()

    def items(self) -> Iterator[Any]:
        """Yields the items of a generator. Like NetworkX's own, it reads nothing before the first item is asked for."""
        if not self.is_left() and (graph := self.read()) is not None:
            end = object()
            try:
                items = iter(self.ours(graph))
                first = next(items, end)
            except (nx.NetworkXException, MemoryError):
                raise
            except Exception:
                pass
            else:
                try:
                    if first is not end:
                        yield first
                        yield from items
                finally:
                    self.note_share(graph)
                return
        yield from self.theirs()

    def weighted_items(self) -> Iterator[Any]:
        """The same, but rejects unsuitable weights at once: a call that fails later cannot be passed on to NetworkX."""
        if not self.is_left() and (graph := self.read()) is not None:
            graph.weights(self.words.get("weight", "weight"))
        return self.items()


def _answering(name: str) -> Callable[..., Any]:
    function = OURS[name]
    if name.startswith("all_pairs_dijkstra"):
        answer: Callable[[_Call], Any] = _Call.weighted_items
    elif inspect.isgeneratorfunction(inspect.unwrap(function)):
        answer = _Call.items
    else:
        answer = _Call.value

    @functools.wraps(function)
    def call(G: Any, *args: Any, **kwargs: Any) -> Any:
        return answer(_Call(name, G, args, kwargs))

    return call


FOUND = {name: _answering(name) for name in FUNCTIONS}
