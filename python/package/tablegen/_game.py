"""Games written in Python as rules files."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, List, Mapping, Sequence, Tuple, Union

from . import _native as native
from ._rules import Rules, _given
from ._types import Parameter

#: A value in a rules file.
Setting = Union[str, int, bool, Sequence["Setting"], Mapping[str, "Setting"]]


class Game:
    """A rules file, written in Python. It can say everything that a rules file says: colours, sides, modes, groups, moves by drawings.

    The arguments are the keys of a rules file, which docs/reference/rules-keys.md lists. ``move``, ``end``, ``group`` and ``test`` each
    add one table, and return the game.

    >>> game = Game("stripes-{cols}", parameters={"cols": 4}, board={"row": "cols", "colours": "LR"}, sides=["left", "right"])
    >>> game = game.move(shape="X").end(shape="XXX", outcome="loss")
    >>> print(game.text)
    name = "stripes-{cols}"
    parameters = { cols = 4 }
    board = { row = "cols", colours = "LR" }
    sides = ["left", "right"]
    <BLANKLINE>
    [[move]]
    shape = "X"
    <BLANKLINE>
    [[end]]
    shape = "XXX"
    outcome = "loss"
    <BLANKLINE>
    >>> game.rules(cols=5)
    <tablegen.Rules stripes-5: 10 cells, 2 modes, 10 moves>
    """

    __slots__ = ("_keys", "_tables")

    def __init__(self, name: str, *, board: Mapping[str, Setting], **keys: Setting) -> None:
        self._keys: Dict[str, Setting] = {"name": name, **keys}
        # The parameters stand before the board that uses them.
        self._keys["board"] = board
        self._keys = {key: self._keys[key] for key in sorted(self._keys, key=_rank)}
        self._tables: List[Tuple[str, Dict[str, Setting]]] = []

    def move(self, **keys: Setting) -> Game:
        """Adds moves."""
        return self._with("move", keys)

    def end(self, **keys: Setting) -> Game:
        """Adds patterns that end the game."""
        return self._with("end", keys)

    def group(self, **keys: Setting) -> Game:
        """Adds sets of squares that moves may complete or spare."""
        return self._with("group", keys)

    def test(self, **keys: Setting) -> Game:
        """Adds a statement that ``tablegen check`` compares with the game."""
        return self._with("test", keys)

    def _with(self, name: str, keys: Dict[str, Setting]) -> Game:
        self._tables.append((name, keys))
        return self

    @property
    def text(self) -> str:
        """The rules file. ``tablegen check`` reads it, and all other commands do."""
        lines = [f"{_key(key)} = {_value(value)}" for key, value in self._keys.items()]
        for name, keys in self._tables:
            lines += ["", f"[[{name}]]", *(f"{_key(key)} = {_value(value)}" for key, value in keys.items())]
        return "".join(f"{line}\n" for line in lines)

    def rules(self, **parameters: Parameter) -> Rules:
        """The rules, with values for the parameters.

        :raises InputError: if a key or a value is wrong. The error names the line and the column in :attr:`text`.
        """
        return Rules._of(native.Rules.file(self.text, None, list(_given(parameters))))

    def __repr__(self) -> str:
        return f"<tablegen.Game {self._keys['name']}: {len(self._tables)} tables>"


def _rank(key: str) -> int:
    """The place of a key in a rules file: first what others depend on."""
    first = ("name", "title", "summary", "source", "play", "parameters", "board", "sides", "modes")
    return first.index(key) if key in first else len(first)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _text(key)


def _text(text: str) -> str:
    # A text of TOML is one of JSON, except that DEL is escaped as well.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    """A value in TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if hasattr(value, "__index__"):
        return str(value.__index__())
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    raise TypeError(f"expected a text, a number, a boolean, a list or a mapping, found {type(value).__name__}")
