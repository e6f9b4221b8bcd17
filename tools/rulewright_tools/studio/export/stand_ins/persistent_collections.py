"""The collections of rpds that jsonschema needs, in Python: rpds itself is Rust, and not to be had in a browser.

In an export this file is the module ``rpds``. What is changed is a copy, so each change takes as long as the collection
is large; those of schemas are small.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Set
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
T = TypeVar("T")


class HashTrieMap(Mapping[K, V], Generic[K, V]):
    """A mapping that never changes."""

    def __init__(self, value: Mapping[K, V] | Iterable[tuple[K, V]] = (), **named: V) -> None:
        self._inner: dict[Any, V] = dict(value, **named)

    @classmethod
    def convert(cls, value: Mapping[K, V] | Iterable[tuple[K, V]]) -> HashTrieMap[K, V]:
        """The given mapping, or one with the same content."""
        return value if isinstance(value, HashTrieMap) else cls(value)

    @classmethod
    def fromkeys(cls, keys: Iterable[K], value: V) -> HashTrieMap[K, V]:
        """A mapping of all keys to one value."""
        return cls(dict.fromkeys(keys, value))

    def __getitem__(self, key: K) -> V:
        return self._inner[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._inner)

    def __len__(self) -> int:
        return len(self._inner)

    def __hash__(self) -> int:
        return hash(frozenset(self._inner.items()))

    def __repr__(self) -> str:
        return f"HashTrieMap({self._inner!r})"

    def insert(self, key: K, value: V) -> HashTrieMap[K, V]:
        """The mapping with one more entry."""
        return HashTrieMap({**self._inner, key: value})

    def remove(self, key: K) -> HashTrieMap[K, V]:
        """The mapping without a key; KeyError if it has none."""
        rest = dict(self._inner)
        del rest[key]
        return HashTrieMap(rest)

    def discard(self, key: K) -> HashTrieMap[K, V]:
        """The mapping without a key, if it has it."""
        return self.remove(key) if key in self._inner else self

    def update(self, *others: Mapping[K, V] | Iterable[tuple[K, V]], **named: V) -> HashTrieMap[K, V]:
        """The mapping with the entries of others."""
        merged: dict[Any, V] = dict(self._inner)
        for other in others:
            merged.update(other)
        merged.update(named)
        return HashTrieMap(merged)


class HashTrieSet(Set[T], Generic[T]):
    """A set that never changes."""

    def __init__(self, value: Iterable[T] = ()) -> None:
        self._inner = frozenset(value)

    def __contains__(self, value: object) -> bool:
        return value in self._inner

    def __iter__(self) -> Iterator[T]:
        return iter(self._inner)

    def __len__(self) -> int:
        return len(self._inner)

    def __hash__(self) -> int:
        return hash(self._inner)

    def __repr__(self) -> str:
        return f"HashTrieSet({set(self._inner)!r})"

    def insert(self, value: T) -> HashTrieSet[T]:
        """The set with one more value."""
        return HashTrieSet(self._inner | {value})

    def remove(self, value: T) -> HashTrieSet[T]:
        """The set without a value; KeyError if it has it not."""
        if value not in self._inner:
            raise KeyError(value)
        return HashTrieSet(self._inner - {value})

    def discard(self, value: T) -> HashTrieSet[T]:
        """The set without a value, if it has it."""
        return HashTrieSet(self._inner - {value})

    def update(self, *others: Iterable[T]) -> HashTrieSet[T]:
        """The set with the values of others."""
        return HashTrieSet(self._inner.union(*others))


class List(Generic[T]):
    """A list that never changes, to whose front values are put."""

    def __init__(self, *given: Any) -> None:
        self._inner: tuple[T, ...] = tuple(given[0]) if len(given) == 1 else given

    def __iter__(self) -> Iterator[T]:
        return iter(self._inner)

    def __len__(self) -> int:
        return len(self._inner)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, List) and self._inner == other._inner

    def __hash__(self) -> int:
        return hash(self._inner)

    def __repr__(self) -> str:
        return f"List({list(self._inner)!r})"

    @property
    def first(self) -> T:
        """The value in front; IndexError if it is empty."""
        return self._inner[0]

    @property
    def rest(self) -> List[T]:
        """All but the value in front."""
        return List(self._inner[1:])

    def push_front(self, value: T) -> List[T]:
        """The list with one more value in front."""
        return List((value, *self._inner))

    def drop_first(self) -> List[T]:
        """The list without the value in front; IndexError if it is empty."""
        if not self._inner:
            raise IndexError("empty list")
        return self.rest
