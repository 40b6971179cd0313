// How positions are written, for the position editor: square by square, as the numbers of pieces in pits, or as the set of what was played.
//
// A form has `help`; `board(states)`, the text of a board; `clicked(states, place)`, the states after a click; and `clear`, what it means
// that no place is filled. `fields` ask for what the text says after the board, `rest(values)`: each has a `label` and a first `value`.
// `choices` are its possible values, each with what a reader sees; `least` and `most` are the smallest and the largest number; without
// these, a field takes any text.
// `left(states)` is the number of pieces that are still to be put on the board, and `joint(rest)` the point where play continues. `standing`,
// if there is one, has the numbers of each side's pieces on a board, `standing(states)`, for the fields of the pieces in hand.

import { hasPits, isTaken } from "./shapes.js";
import { capital } from "./values.js";

const CLEAR = "Clear the board";

const named = (names) => names.map((name) => [name, capital(name)]);

/** What a click does on a board of squares, points or lines. */
function clicks(view) {
  const { layout, signs, blocks, sides, looks } = view;
  const isPoints = looks.board === "points" || (layout === "vertices" && signs.length > 1);
  const what = layout === "edges" ? "line" : isPoints ? "point" : layout === "vertices" ? "circle" : "square";
  if (isTaken(view)) return `Click a ${layout === "edges" ? "line" : "piece"} to take it away, or to put it back.`;
  if (signs.length < 2) return layout === "edges" ? "Click a line to draw it, or to take it away." : `Click a ${what} to fill it, or to free it.`;
  // Signs are no pieces of a side: in some games, both sides write both.
  const names = looks.pieces[0] === "signs" ? signs : (sides?.map(capital) ?? signs);
  return `Each click on a ${what} changes what stands there: ${[...names, ...(blocks ? ["blocked"] : []), "nothing"].join(", then ")}.`;
}

/** The modes as choices: `Black`, and with what a mode says beside the side, `Black (opens)`. */
const modeNames = (modes, sides) => modes.map(({ name, side }) => {
  // If the players may exchange the sides, a mode has a side alone.
  const of = side ?? sides?.find((one) => name === one || name.startsWith(`${one}-`));
  const more = name.replace(`${of}-`, "").replaceAll("-", " ");
  return [name, !of ? name : name === of ? capital(of) : `${capital(of)} (${more})`];
});

/** The fields for the side to move and the pieces that each side has in hand, as in `x-3-2`, or `x` if there are none. */
function hand({ sides, in_hand, places, signs }, rest) {
  const most = places.length;
  return {
    fields: [{ label: "To move", value: rest.split("-")[0], choices: named(sides) }, ...sides.map((side, n) => ({ label: `${capital(side)} in hand`, value: in_hand[n], least: 0, most }))],
    rest: ([side, ...left]) => (left.every((number) => Number(number) === 0) ? side : [side, ...left.map(Number)].join("-")),
    standing: (states) => signs.map((_, n) => states.filter((state) => state === n + 1).length),
  };
}

/** The fields of a text `rest` that has one of `choices`, or any text. */
const one = (label, rest, choices) => ({ fields: [{ label, value: rest, choices }], rest: ([text]) => text });

/** Returns whether a text has a lead: where moves gain points, no board shows those that were gained so far. */
const hasLead = ({ names, lead, shown_points: shown }) => names || lead || shown?.every((number) => number === 0);

/** The fields for the side to move and for a lead, as in `x-2`. The lead is that of the first of the named players, or without names that of
 * the player to move. */
function points({ names, lead = 0, unit }, rest, choicesOf) {
  const [, mover, of = lead] = names ? /^(.*?)([+-]?\d+)?$/.exec(rest) : [rest, lead ? rest.replace(/\s*[+-]\d+$/, "") : rest];
  const signed = (number) => `${number > 0 ? "+" : ""}${Number(number) || ""}`;
  return {
    fields: [{ label: "To move", value: mover, choices: names ? named(names) : choicesOf(mover) }, { label: `Lead of ${names ? capital(names[0]) : "the player to move"} in ${unit}`, value: Number(of), least: -9999, most: 9999 }],
    rest: ([side, number]) => [side, signed(number)].filter(Boolean).join(names ? "" : " "),
  };
}

/** A text of one character a square. A click takes a square through its states. */
function squares(view) {
  const { position, places, states, signs, blocks, players, sides, modes } = view;
  const [board, ...after] = position.split(" ");
  const at = [...board].flatMap((character, n) => ("/#".includes(character) ? [] : [n]));
  const marks = [".", ...signs, "*"];
  if (at.length !== places.length || at.some((n, place) => marks[states[place]] !== board[n])) return null;
  const count = signs.length + 1 + blocks;
  const rest = after.join(" ");
  const names = [...new Set([...(players ?? []), ...(sides ?? [])])];
  const choicesOf = (mode) => (mode === "" ? [["", ""]] : modes ? modeNames(modes, sides) : names.includes(mode) ? named(names) : null);
  return {
    help: hasLead(view) ? `${clicks(view)} The board does not say who gained ${view.unit} before: enter the lead.` : clicks(view),
    clear: isTaken(view) ? "Put everything back" : CLEAR,
    board: (states) => {
      const characters = [...board];
      at.forEach((n, place) => (characters[n] = marks[states[place]]));
      return characters.join("");
    },
    clicked: (states, place) => states.map((state, n) => (n === place ? (state + 1) % count : state)),
    left: () => 0,
    joint: () => null,
    ...(view.in_hand ? hand(view, rest) : hasLead(view) ? points(view, rest, choicesOf) : one("To move", rest, choicesOf(rest))),
  };
}

/** A text of numbers, one a pit in the order of the areas. A click takes all pieces of a pit into the hand, or puts one back. */
function pits(view) {
  const [board, ...after] = view.position.split(" ");
  const numbers = board.match(/\d+/g) ?? [];
  const filled = (states, pit) => pit.places.filter((place) => states[place] > 0).length;
  const { areas, sides } = view;
  if (!hasPits(view) || numbers.length !== areas.length || areas.some((pit, n) => filled(view.states, pit) !== Number(numbers[n]))) return null;
  const count = (states) => states.filter((state) => state > 0).length;
  const left = (states) => count(view.states) - count(states);
  return {
    help: "Click a pit to take its pieces into your hand. Then click pits to put the pieces there, one by one.",
    clear: "Take all pieces",
    board: (states) => {
      let n = 0;
      return board.replace(/\d+/g, () => filled(states, areas[n++]));
    },
    clicked: (states, place) => {
      const pit = areas.find(({ places }) => places.includes(place));
      const number = left(states) > 0 ? filled(states, pit) + 1 : 0;
      return states.map((state, n) => (pit.places.includes(n) ? Number(pit.places.indexOf(n) < number) : state));
    },
    left,
    joint: () => null,
    ...one("To move", after.join(" "), sides && named(sides)),
  };
}

const PLAYED = { tiles: "Click the tiles that lie on the table.", edges: "Click the lines that have been walked.", words: "Click the words that have been said." };

/** A text of names in braces, and where play goes on: a point, or the letter with which the next word begins. */
function set({ position, places, states, joints, layout }) {
  const read = /^\{(.*)\}(?: (.+))?$/.exec(position);
  const names = (states) => places.filter((_, n) => states[n] > 0).map(({ name }) => name).join(",");
  if (!read || read[1] !== names(states)) return null;
  const letters = places.flatMap(({ name }) => [...name].filter((_, n, all) => n === 0 || n === all.length - 1));
  const points = joints.length > 0 ? joints.map(({ name }) => name) : [...new Set(letters)].sort();
  return {
    help: PLAYED[layout] ?? "Click what has been played.",
    clear: CLEAR,
    board: (states) => `{${names(states)}}`,
    clicked: (states, place) => states.map((state, n) => (n === place ? 1 - state : state)),
    left: () => 0,
    ...one("Play continues with", read[2] ?? "", [["", "\u2013"], ...points.map((name) => [name, name])]),
    joint: (rest) => (joints.some(({ name }) => name === rest) ? joints.findIndex(({ name }) => name === rest) : null),
  };
}

/** The form of the positions of a view; null if none is known. */
export const formOf = (view) => squares(view) ?? pits(view) ?? set(view);
