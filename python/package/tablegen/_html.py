"""Positions in notebooks: the board as SVG, the moves as a table."""

from __future__ import annotations

from html import escape
from typing import Any, Callable, Dict, List, Sequence, Tuple

from ._types import Choice, signed

#: Pixels of the side of a square.
_SIDE = 36
#: The fill colours of a place: free, first colour, second colour, both.
_FILLS = ("#ffffff", "#4c566a", "#d08770", "#b48ead")
_INKS = ("#2e3440", "#ffffff", "#2e3440", "#2e3440")
#: Colours of outcomes; their names are written beside them.
_OUTCOMES = {"win": "#0072b2", "draw": "#757575", "loss": "#b35900"}
#: The number of moves shown until the reader expands the list.
_SHOWN = 10


def answer(view: Dict[str, Any], drawing: str, game: str, value: str, moves: Sequence[Choice]) -> str:
    """A position, its value and its moves."""
    head = f"<div><b>{escape(game)}</b> &nbsp;<code>{escape(view['position'])}</code><br>{escape(value)}</div>"
    return f'<div class="tablegen">{head}{board(view, drawing)}{_moves(moves)}</div>'


def board(view: Dict[str, Any], drawing: str) -> str:
    """The board as SVG; where its places are words, as text."""
    if view["layout"] == "words":
        return f"<pre>{escape(drawing)}</pre>"
    width, height = (side * _SIDE + 2 for side in view["size"])
    shapes = {
        "squares": _square, "row": _square, "hexagons": _hexagon, "vertices": _vertex, "edges": _edge, "tiles": _tile,
    }
    shape: Callable[..., str] = shapes[view["layout"]]
    parts = [_line(view["places"][a]["at"], view["places"][b]["at"], "#9aa0aa", 1) for a, b in view["lines"]]
    for number, (place, state) in enumerate(zip(view["places"], view["states"])):
        parts.append(shape(view, place, state, number in view["ending"]))
    # The joints of tiles are their values, which are drawn on the tiles.
    joints = [] if view["layout"] == "tiles" else view["joints"]
    for number, joint in enumerate(joints):
        parts.append(_joint(joint, number == view["joint"]))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="-1 -1 {width:g} {height:g}" role="img" aria-label="{escape(view["position"])}" '
        f'style="max-width:100%;font:12px sans-serif">{"".join(parts)}</svg>'
    )


def _sign(view: Dict[str, Any], state: int) -> str:
    signs = view["signs"]
    return str(signs[state - 1]) if 0 < state <= len(signs) else ""


def _at(point: Sequence[float]) -> Tuple[float, float]:
    return point[0] * _SIDE, point[1] * _SIDE


def _text(point: Sequence[float], text: str, ink: str) -> str:
    x, y = _at(point)
    middle = 'text-anchor="middle" dominant-baseline="central"'
    return f'<text x="{x:g}" y="{y:g}" {middle} fill="{ink}">{escape(text)}</text>'


def _style(state: int, is_end: bool) -> str:
    edge = 'stroke="#bf616a" stroke-width="3"' if is_end else 'stroke="#9aa0aa"'
    return f'fill="{_FILLS[state]}" {edge}'


def _named(place: Dict[str, Any], shape: str) -> str:
    return f"<g><title>{escape(place['name'])}</title>{shape}</g>"


def _square(view: Dict[str, Any], place: Dict[str, Any], state: int, is_end: bool) -> str:
    x, y = _at(place["at"])
    half = _SIDE / 2
    shape = f'<rect x="{x - half:g}" y="{y - half:g}" width="{_SIDE}" height="{_SIDE}" {_style(state, is_end)}/>'
    return _named(place, shape + _text(place["at"], _sign(view, state), _INKS[state]))


def _hexagon(view: Dict[str, Any], place: Dict[str, Any], state: int, is_end: bool) -> str:
    x, y = place["at"]
    corners = [(0, -0.577), (0.5, -0.289), (0.5, 0.289), (0, 0.577), (-0.5, 0.289), (-0.5, -0.289)]
    points = " ".join("{:g},{:g}".format(*_at((x + dx, y + dy))) for dx, dy in corners)
    shape = f'<polygon points="{points}" {_style(state, is_end)}/>'
    return _named(place, shape + _text(place["at"], _sign(view, state), _INKS[state]))


def _vertex(view: Dict[str, Any], place: Dict[str, Any], state: int, is_end: bool) -> str:
    x, y = _at(place["at"])
    shape = f'<circle cx="{x:g}" cy="{y:g}" r="{_SIDE * 0.36:g}" {_style(state, is_end)}/>'
    return _named(place, shape + _text(place["at"], _sign(view, state), _INKS[state]))


def _edge(view: Dict[str, Any], place: Dict[str, Any], state: int, is_end: bool) -> str:
    first, last = (view["joints"][end]["at"] for end in place["ends"])
    colour = "#bf616a" if is_end else "#c8ccd4" if state == 0 else _FILLS[state]
    return _named(place, _line(first, last, colour, 1.5 if state == 0 else 4))


def _tile(view: Dict[str, Any], place: Dict[str, Any], state: int, is_end: bool) -> str:
    x, y = _at(place["at"])
    box = f'<rect x="{x - 16:g}" y="{y - 9:g}" width="32" height="18" rx="3" {_style(state, is_end)}/>'
    return _named(place, box + _text(place["at"], place["name"], _INKS[state]))


def _line(first: Sequence[float], last: Sequence[float], colour: str, width: float) -> str:
    (x, y), (u, v) = _at(first), _at(last)
    return f'<line x1="{x:g}" y1="{y:g}" x2="{u:g}" y2="{v:g}" stroke="{colour}" stroke-width="{width:g}"/>'


def _joint(joint: Dict[str, Any], is_here: bool) -> str:
    x, y = _at(joint["at"])
    colour = "#bf616a" if is_here else "#5e6470"
    dot = f'<circle cx="{x:g}" cy="{y:g}" r="{6 if is_here else 3}" fill="{colour}"/>'
    return f"<g><title>{escape(joint['name'])}</title>{dot}</g>"


def _moves(moves: Sequence[Choice]) -> str:
    if not moves:
        return ""
    labels: List[Tuple[str, Callable[[Choice], object]]] = [("outcome", lambda m: m.outcome)]
    if any(m.remoteness is not None for m in moves):
        labels.append(("plies", lambda m: m.remoteness))
    if any(m.nimber is not None for m in moves):
        labels.append(("nimber", lambda m: m.nimber))
    if any(m.misere_nimber is not None for m in moves):
        labels.append(("misère nimber", lambda m: m.misere_nimber))
    if any(m.score is not None for m in moves):
        labels.append(("score", lambda m: None if m.score is None else signed(m.score)))
    head = "".join(f"<th>{name}</th>" for name, _ in [("move", None), *labels])

    def row(choice: Choice) -> str:
        colour = _OUTCOMES.get(choice.outcome, "#757575")
        cells = "".join(f'<td style="color:{colour}">{escape(str(of(choice)))}</td>' for _, of in labels)
        return f"<tr><td><code>{escape(choice.move)}</code></td>{cells}</tr>"

    def table(rows: Sequence[Choice]) -> str:
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(map(row, rows))}</tbody></table>"

    first, rest = moves[:_SHOWN], moves[_SHOWN:]
    more = f"<details><summary>{len(rest)} more moves</summary>{table(rest)}</details>" if rest else ""
    return table(first) + more
