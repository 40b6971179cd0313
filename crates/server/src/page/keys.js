// The list of keys, and the switch of those that are letters.

import { h } from "./dom.js";
import * as shortcuts from "./shortcuts.js";

const ON_THE_BOARD = [
  ["Arrows, Home, End", "go to another square"],
  ["Enter, Space", "choose a square"],
  ["Escape", "forget the chosen squares, or what is set up"],
];
const LETTERS = [
  ["u, r", "undo, redo"],
  ["h", "a hint"],
  ["b", "play a best move"],
  ["l", "show the best line"],
  ["v", "show or hide the values"],
  ["f", "turn the board round"],
  ["x", "the exercise"],
  ["e", "set up a position, or cancel that"],
  ["n", "a new game"],
  ["?", "this list"],
];

const rows = (keys) => h("dl", { class: "keys" }, keys.map(([keys, what]) => h("div", {}, h("dt", {}, h("kbd", {}, keys)), h("dd", {}, what))));

/** The keys and what they do. */
export function list() {
  const letters = h("input", { type: "checkbox", id: "letters", checked: shortcuts.areOn(), "aria-describedby": "letters-help", onchange: () => shortcuts.turn(letters.checked) });
  return [h("h3", {}, "On the board"), rows(ON_THE_BOARD), h("h3", {}, "Letters"), h("label", { class: "check" }, letters, " Letters act as keys"), h("p", { class: "dim", id: "letters-help" }, "They act everywhere except in text fields. Switch them off if you speak to the browser, or press them by mistake. The browser remembers the choice, and the button ? shows this list."), rows(LETTERS)];
}
