"""Reads what Lean wrote into a module's ``.olean`` parts.

An olean is a dump of Lean objects: a header, then objects one after another, each with the tag of
its constructor. The parts of one module (``.olean``, ``.olean.server``, ``.olean.private``) share
one address space, of 32-bit words if the WebAssembly build wrote them and of 64-bit words if the
official one did. Only as much is decoded as the cheat check needs: the imports, every constant with
its kind, safety and the constants it uses, the names occurring anywhere, and what attributes recorded.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

# The base address, then the address of the root, one word each; objects follow.
_HEADER = 0x50
_SCALAR_ARRAY, _STRING, _BIG, _ARRAY = 248, 249, 250, 246
_LAST_CONSTRUCTOR = 244
# In the order of Lean's `ConstantInfo`, and of `DefinitionSafety`.
KINDS = ("axiom", "definition", "theorem", "opaque", "quotient", "inductive", "constructor", "recursor")
SAFETY = ("unsafe", "safe", "partial")
_VALUED = ("definition", "theorem", "opaque")
_INSTANCES, _CLASSES = "Lean.Meta.instanceExtension", "Lean.classExtension"
# For every constructor of Lean's `Expr`, in order, which of its fields name a constant and which are terms.
_TERMS: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
    ((), ()),  # bvar
    ((), ()),  # fvar
    ((), ()),  # mvar
    ((), ()),  # sort
    ((0,), ()),  # const
    ((), (0, 1)),  # app
    ((), (1, 2)),  # lam
    ((), (1, 2)),  # forallE
    ((), (1, 2, 3)),  # letE
    ((), ()),  # lit
    ((), (1,)),  # mdata
    ((0,), (2,)),  # proj
)


# What an object begins with: references to it, its size, a number whose meaning depends on its kind, and its kind.
_OBJECT = struct.Struct("<iHBB")
# Readers of up to 255 words, by the bytes of a word.
_WORDS = {word: [struct.Struct(f"<{count}{form}") for count in range(256)] for word, form in ((4, "I"), (8, "Q"))}


class OleanError(RuntimeError):
    """A file is not an olean of the layout this reader knows; the message is one line."""


@dataclass(frozen=True)
class Constant:
    """One declaration as the kernel recorded it."""

    name: str
    kind: str
    safety: str


@dataclass
class _Part:
    word: int
    base: int
    root: int
    data: bytes
    path: Path
    end: int = field(init=False)

    def __post_init__(self) -> None:
        self.end = self.base + len(self.data)

    @property
    def start(self) -> int:
        """Where the objects begin."""
        return _HEADER + 2 * self.word

    def words(self, at: int, count: int) -> list[int]:
        return list(struct.unpack_from(f"<{count}{'I' if self.word == 4 else 'Q'}", self.data, at))

    def term(self, at: int) -> tuple[int, tuple[int, ...]]:
        """The tag and the pointer fields of the constructor object there."""
        tag = self.data[at + 7]
        return tag, _WORDS[self.word][self.data[at + 6]].unpack_from(self.data, at + 8)


class Module:
    """The parts of one module, read together; the last one given is the most complete."""

    def __init__(self, paths: Sequence[Path], *, walk: bool = True) -> None:
        self.paths = list(paths)
        self._known: dict[int, str] = {}
        self._parts = [self._load(path) for path in paths]
        for part in self._parts:
            if not any(p.base <= part.root < p.end for p in self._parts):
                raise OleanError(f"{part.path.name}: the root is outside the module's parts")
        # A layout read wrongly would not end at the last byte of a part.
        self._texts = [(part, at) for part in self._parts if walk for at, tag in self._objects(part) if tag == _STRING]

    def _load(self, path: Path) -> _Part:
        data = path.read_bytes()
        if data[:5] != b"olean" or len(data) < _HEADER + 8:
            raise OleanError(f"{path.name}: not an olean")
        base, root = struct.unpack("<QQ", data[_HEADER : _HEADER + 16].ljust(16, b"\0"))
        if base <= root < base + len(data):
            return _Part(8, base, root, data, path)
        # Read as 64-bit words, these two and the first object make no addresses of one file.
        base, root = struct.unpack_from("<II", data, _HEADER)
        return _Part(4, base, root, data, path)

    def _size(self, part: _Part, at: int) -> int:
        size: int
        other: int
        _, size, other, tag = _OBJECT.unpack_from(part.data, at)
        if tag <= _LAST_CONSTRUCTOR or tag == _BIG:
            return size
        _, capacity = part.words(at + 8, 2)
        if tag == _ARRAY:
            return 8 + part.word * (2 + capacity)
        if tag == _SCALAR_ARRAY:
            return 8 + part.word * 2 + capacity * other
        if tag == _STRING:
            return 8 + part.word * 3 + capacity
        raise OleanError(f"{part.path.name}: object of unknown kind {tag}")

    def _objects(self, part: _Part) -> Iterator[tuple[int, int]]:
        at, data = part.start, part.data
        while at < len(data):
            size: int
            tag: int
            _, size, _, tag = _OBJECT.unpack_from(data, at)
            if tag > _LAST_CONSTRUCTOR:
                size = self._size(part, at)
            if size <= 0:
                raise OleanError(f"{part.path.name}: object of size {size}")
            yield at, tag
            at += -(-size // part.word) * part.word
        if at != len(data):
            raise OleanError(f"{part.path.name}: the objects do not fill the file")

    def _find(self, pointer: int) -> tuple[_Part, int]:
        for part in self._parts:
            if part.base <= pointer < part.end:
                return part, pointer - part.base
        raise OleanError(f"{self.paths[-1].name}: pointer outside the module's parts")

    def _fields(self, pointer: int) -> tuple[int, list[int], bytes]:
        """Tag, pointer fields and scalar bytes of a constructor object; a boxed one has only its tag."""
        if pointer & 1:
            return pointer >> 1, [], b""
        part, at = self._find(pointer)
        _, size, count, tag = _OBJECT.unpack_from(part.data, at)
        return tag, part.words(at + 8, count), part.data[at + 8 + part.word * count : at + size]

    def _term(self, pointer: int) -> tuple[int, tuple[int, ...]]:
        """Tag and pointer fields of a term, which has no others that matter here."""
        return self._term_of(self._find(pointer)[0], pointer)

    def _term_of(self, part: _Part, pointer: int) -> tuple[int, tuple[int, ...]]:
        if pointer & 1:
            raise OleanError(f"{self.paths[-1].name}: a term that is no object")
        tag, fields = part.term(pointer - part.base)
        if tag >= len(_TERMS):
            raise OleanError(f"{self.paths[-1].name}: a term of unknown kind {tag}")
        return tag, fields

    def _array(self, pointer: int) -> list[int]:
        part, at = self._find(pointer)
        if part.data[at + 7] != _ARRAY:
            raise OleanError(f"{part.path.name}: expected an array")
        (length,) = part.words(at + 8, 1)
        return part.words(at + 8 + 2 * part.word, length)

    def _string(self, part: _Part, at: int) -> str:
        (size,) = part.words(at + 8, 1)
        start = at + 8 + 3 * part.word
        return part.data[start : start + size - 1].decode()

    def _name(self, pointer: int) -> str:
        if pointer & 1:
            return ""
        if pointer not in self._known:
            tag, (prefix, last), _ = self._fields(pointer)
            piece = self._string(*self._find(last)) if tag == 1 else str(last >> 1)
            self._known[pointer] = piece if prefix & 1 else f"{self._name(prefix)}.{piece}"
        return self._known[pointer]

    @cached_property
    def _module_data(self) -> list[int]:
        tag, fields, _ = self._fields(self._parts[-1].root)
        if tag != 0 or len(fields) != 5:
            raise OleanError(f"{self.paths[-1].name}: the root is not module data of the known shape")
        return fields

    @cached_property
    def imports(self) -> list[str]:
        """The modules this one imports, as Lean resolved its header."""
        return [self._name(self._fields(p)[1][0]) for p in self._array(self._module_data[0])]

    @cached_property
    def unusual_imports(self) -> list[str]:
        """The modules of which this one imports all, or their code at compile time."""
        entries = [self._fields(pointer) for pointer in self._array(self._module_data[0])]
        return [self._name(fields[0]) for _, fields, (all_, _, meta, *_) in entries if all_ or meta]

    @property
    def names(self) -> list[str]:
        return [self._name(pointer) for pointer in self._array(self._module_data[1])]

    @cached_property
    def constants(self) -> list[Constant]:
        """Every constant of the module."""
        found = []
        for name, info in zip(self._array(self._module_data[1]), self._array(self._module_data[2]), strict=True):
            tag, (value,), _ = self._fields(info)
            kind = KINDS[tag]
            _, _, scalars = self._fields(value)
            safety = "safe"
            if kind == "definition":
                safety = SAFETY[scalars[0]]
            elif kind in ("axiom", "opaque", "inductive", "constructor", "recursor") and self._unsafe(kind, scalars):
                safety = "unsafe"
            found.append(Constant(self._name(name), kind, safety))
        return found

    @cached_property
    def uses(self) -> dict[str, frozenset[str]]:
        """For every constant of the module, the constants that its type and its value mention."""
        found = {}
        for name, info in zip(self._array(self._module_data[1]), self._array(self._module_data[2]), strict=True):
            tag, (value,), _ = self._fields(info)
            _, fields, _ = self._fields(value)
            _, (_, _, statement), _ = self._fields(fields[0])
            used = self._mentioned([statement, *(fields[1:2] if KINDS[tag] in _VALUED else ())])
            if KINDS[tag] == "inductive":
                used |= {self._name(pointer) for pointer in self._list(fields[4])}
            found[self._name(name)] = frozenset(used)
        return found

    def _list(self, pointer: int) -> Iterator[int]:
        while not pointer & 1:
            _, (head, pointer), _ = self._fields(pointer)
            yield head

    def _mentioned(self, roots: Sequence[int]) -> set[str]:
        """The constants in terms, each shared part of which is looked at once."""
        names: set[int] = set()
        seen, todo = set(roots), list(roots)
        part = self._parts[-1]
        while todo:
            pointer = todo.pop()
            if not part.base <= pointer < part.end:
                part, _ = self._find(pointer)
            tag, fields = self._term_of(part, pointer)
            name, below = _TERMS[tag]
            for i in name:
                names.add(fields[i])
            for i in below:
                if (pointer := fields[i]) not in seen:
                    seen.add(pointer)
                    todo.append(pointer)
        return {self._name(pointer) for pointer in names}

    @cached_property
    def _infos(self) -> dict[str, tuple[str, int, list[int]]]:
        """For every constant its kind, the pointer to its type and the fields of its record."""
        found = {}
        for name, info in zip(self._array(self._module_data[1]), self._array(self._module_data[2]), strict=True):
            tag, (value,), _ = self._fields(info)
            _, fields, _ = self._fields(value)
            _, (_, _, statement), _ = self._fields(fields[0])
            found[self._name(name)] = (KINDS[tag], statement, fields)
        return found

    def has(self, name: str) -> bool:
        return name in self._infos

    def meaning(self, name: str, called: Callable[[str], str]) -> tuple[str, set[str]]:
        """A digest of what the constant says, with the constants that it mentions.

        For a definition its type and value, for an inductive type its type and constructors, for all others the type.
        The names of bound variables do not count, and a constant counts as what it is `called`.
        """
        kind, statement, fields = self._infos[name]
        roots = [statement, *(fields[1:2] if kind in ("definition", "opaque") else ())]
        said = [kind, *(self._term_digest(root, called) for root in roots)]
        mentioned = self._mentioned(roots)
        if kind == "inductive":
            constructors = [self._name(pointer) for pointer in self._list(fields[4])]
            said += constructors
            mentioned |= set(constructors)
        return hashlib.sha256("\n".join(said).encode()).hexdigest()[:24], mentioned

    def _term_digest(self, root: int, called: Callable[[str], str]) -> str:
        """A digest of a term that depends on nothing but the term."""
        known: dict[int, str] = {}
        todo = [root]
        while todo:
            pointer = todo[-1]
            if pointer in known:
                todo.pop()
                continue
            tag, fields = self._term(pointer)
            below = [fields[i] for i in _TERMS[tag][1]]
            missing = [p for p in below if p not in known]
            if missing:
                todo += missing
                continue
            todo.pop()
            said = [known[p] for p in below]
            if tag == 10:  # what a tool noted about the term
                known[pointer] = said[0]
                continue
            if tag in (0, 11):  # a bound variable; a projection's place
                said.append(self._number(fields[0 if tag == 0 else 1]))
            if tag == 3:
                said.append(self._level(fields[0]))
            if tag in (4, 11):
                said.append(called(self._name(fields[0])))
            if tag == 4 and said[-1]:
                said += [self._level(level) for level in self._list(fields[1])]
            if tag == 9:
                kind, (literal,), _ = self._fields(fields[0])
                said.append(self._number(literal) if kind == 0 else self._string(*self._find(literal)))
            known[pointer] = hashlib.sha256(repr((tag, said)).encode()).hexdigest()
        return known[root]

    def _number(self, pointer: int) -> str:
        """A natural number, or the digits of one too large for a pointer."""
        if pointer & 1:
            return str(pointer >> 1)
        part, at = self._find(pointer)
        # What comes before the digits holds an address.
        return part.data[at + 8 + 3 * part.word : at + self._size(part, at)].hex()

    def _level(self, pointer: int) -> str:
        tag, fields, _ = self._fields(pointer)
        if tag == 4:
            return self._name(fields[0])
        return f"{tag}({','.join(self._level(field) for field in fields)})"

    def classed(self, name: str, classes: Container[str]) -> set[tuple[str, str, bool]]:
        """The classes in what the constant says that are put to a constant or to nothing.

        Each comes with that constant, and with whether something is bound that has this type.
        """
        kind, statement, fields = self._infos[name]
        todo = [statement, *(fields[1:2] if kind == "definition" else ())]
        seen, found = set(todo), set()

        def look(pointer: int, bound: bool) -> tuple[str, list[int]]:
            head, arguments = self._head(pointer)
            if head in classes and (subject := self._head(arguments[0])[0] if arguments else "nothing"):
                found.add((head, subject, bound))
            return head, arguments

        while todo:
            pointer = todo.pop()
            tag, below = self._term(pointer)
            terms = [below[i] for i in _TERMS[tag][1]]
            if tag in (6, 7):
                look(below[1], True)
            if tag in (4, 5):
                head, terms = look(pointer, False)
                # What is applied may be a term of another kind.
                terms += [] if head else [self._applied(pointer)]
            todo += [term for term in terms if term not in seen]
            seen |= set(terms)
        return found

    def _applied(self, pointer: int) -> int:
        """The term that is applied to arguments, without them."""
        tag, fields, _ = self._fields(pointer)
        while tag in (5, 10):
            pointer = fields[0 if tag == 5 else 1]
            tag, fields, _ = self._fields(pointer)
        return pointer

    def conclusion(self, name: str) -> tuple[str, str]:
        """The head of what a constant's type ends in, and the head of that one's first argument; "" for no constant."""
        pointer = self._infos[name][1]
        tag, fields, _ = self._fields(pointer)
        while tag in (7, 8, 10):
            pointer = fields[{7: 2, 8: 3, 10: 1}[tag]]
            tag, fields, _ = self._fields(pointer)
        head, arguments = self._head(pointer)
        return head, self._head(arguments[0])[0] if arguments else ""

    def _head(self, pointer: int) -> tuple[str, list[int]]:
        arguments: list[int] = []
        tag, fields, _ = self._fields(pointer)
        while tag in (5, 10):
            arguments += [fields[1]] if tag == 5 else []
            tag, fields, _ = self._fields(fields[0] if tag == 5 else fields[1])
        return (self._name(fields[0]) if tag == 4 else ""), arguments[::-1]

    def projects(self, name: str) -> bool:
        """Whether a constant is the projection of a structure and nothing else."""
        kind, _, fields = self._infos[name]
        if kind != "definition":
            return False
        tag, below, _ = self._fields(fields[1])
        while tag == 6:
            tag, below, _ = self._fields(below[2])
        return tag == 11 and self._fields(below[2])[0] == 0

    def _entries(self, extension: str) -> Iterator[int]:
        """What the module recorded in one of Lean's extensions of its environment."""
        for pair in self._array(self._module_data[4]):
            _, (name, entries), _ = self._fields(pair)
            if self._name(name) == extension:
                yield from self._array(entries)

    @property
    def classes(self) -> list[str]:
        """The classes that the module declares."""
        return [self._name(self._fields(entry)[1][0]) for entry in self._entries(_CLASSES)]

    @cached_property
    def instances(self) -> list[str]:
        """The constants that the module declares as instances for all that import it; "" for what is no constant."""
        found = []
        for entry in self._entries(_INSTANCES):
            # Scoped or not, the instance is the last field.
            _, fields, _ = self._fields(self._fields(entry)[1][-1])
            found.append(self._head(fields[1])[0])
        return found

    @staticmethod
    def _unsafe(kind: str, scalars: bytes) -> bool:
        # Booleans in order of declaration: recursors have `k` before, inductives `isRec` before `isUnsafe`.
        place = {"recursor": 1, "inductive": 1}.get(kind, 0)
        return bool(scalars[place])

    @cached_property
    def attributes(self) -> dict[str, int]:
        """How many entries each environment extension stored for this module."""
        found = {}
        for pair in self._array(self._module_data[4]):
            _, (name, entries), _ = self._fields(pair)
            found[self._name(name)] = len(self._array(entries))
        return found

    @cached_property
    def strings(self) -> set[str]:
        """Every string in the parts, hence every component of every name the module mentions."""
        return {self._string(part, at) for part, at in self._texts}


def parts(path: Path) -> list[Path]:
    """The files of the module whose public part is `path`, the most complete one last."""
    candidates = [path, path.with_suffix(".olean.server"), path.with_suffix(".olean.private")]
    return [p for p in candidates if p.exists()]


def read(path: Path) -> Module:
    """The module whose public part is `path`, read again only when one of its files was written again."""
    files = [(part, part.stat()) for part in parts(path)]
    return _read(tuple((part, stat.st_ino, stat.st_mtime_ns, stat.st_size) for part, stat in files))


@lru_cache(maxsize=256)
def _read(files: tuple[tuple[Path, int, int, int], ...]) -> Module:
    return Module([part for part, *_ in files])


def names_of(path: Path) -> tuple[list[str], list[str]]:
    """The names of the constants, and of the classes, of one part alone, without the walk over all of it."""
    module = Module([path], walk=False)
    return module.names, module.classes
