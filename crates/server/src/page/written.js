// How positions are written, for the position editor: square by square, as the numbers of pieces in pits, or as the set of what was played.
//
// A form has `help`, `board(states)`, the text of a board, and `clicked(states, place)`, the states after a click. After the board, a text
// says `rest`, which `label` explains. `choices` are the possible texts there, each with what a reader sees; without them, any text is.
// `left(states)` is the number of pieces that are still to be put on the board, and `joint(rest)` the point where play goes on.

import { hasPits } from "./shapes.js";
import { capital } from "./values.js";

const named = (names) => names.map((name) => [name, capital(name)]);

/** A text of one character a square. A click takes a square through its states. */
function squares({ position, places, states, signs, blocks, players, sides }) {
  const [board, ...after] = position.split(" ");
  const at = [...board].flatMap((character, n) => ("/#".includes(character) ? [] : [n]));
  const marks = [".", ...signs, "*"];
  if (at.length !== places.length || at.some((n, place) => marks[states[place]] !== board[n])) return null;
  const count = signs.length + 1 + blocks;
  const rest = after.join(" ");
  const names = [...new Set([...(players ?? []), ...(sides ?? [])])];
  return {
    help: "Click a square to change what stands on it.",
    board: (states) => {
      const characters = [...board];
      at.forEach((n, place) => (characters[n] = marks[states[place]]));
      return characters.join("");
    },
    clicked: (states, place) => states.map((state, n) => (n === place ? (state + 1) % count : state)),
    left: () => 0,
    label: "To move",
    rest,
    choices: rest === "" ? [["", ""]] : names.includes(rest) ? named(names) : null,
    joint: () => null,
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
    label: "To move",
    rest: after.join(" "),
    choices: sides && named(sides),
    joint: () => null,
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
    board: (states) => `{${names(states)}}`,
    clicked: (states, place) => states.map((state, n) => (n === place ? 1 - state : state)),
    left: () => 0,
    label: "Play goes on with",
    rest: read[2] ?? "",
    choices: [["", "\u2013"], ...points.map((name) => [name, name])],
    joint: (rest) => (joints.some(({ name }) => name === rest) ? joints.findIndex(({ name }) => name === rest) : null),
  };
}

/** The form of the positions of a view; null if none is known. */
export const formOf = (view) => squares(view) ?? pits(view) ?? set(view);
