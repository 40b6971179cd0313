// The list of keys.

import { h } from "./dom.js";

const KEYS = [
  ["Arrows, Home, End", "go to another square"],
  ["Enter, Space", "choose a square"],
  ["Escape", "forget the chosen squares"],
  ["u, r", "undo, redo"],
  ["h", "a hint"],
  ["b", "play a best move"],
  ["l", "show the best line"],
  ["v", "show or hide the values"],
  ["f", "turn the board round"],
  ["x", "the exercise"],
  ["e", "set up a position"],
  ["n", "a new game"],
  ["?", "this list"],
];

/** The keys and what they do. */
export const list = () => [h("p", { class: "dim" }, "Letters act everywhere except in text fields; the others act on the board."), h("dl", { class: "keys" }, KEYS.map(([keys, what]) => h("div", {}, h("dt", {}, h("kbd", {}, keys)), h("dd", {}, what))))];
