// The position editor: clicks take squares through their states, and the server reads the text that this makes.

import { about } from "./api.js";
import { h, show } from "./dom.js";
import { capital } from "./values.js";

/** The characters of a board as text: where each place stands in it, and the text after it. Null if the text is not one character a
 * place. */
export function parts({ position, places, states, signs }) {
  const [board, ...rest] = position.split(" ");
  const at = [...board].flatMap((character, n) => ("/#".includes(character) ? [] : [n]));
  const marks = [".", ...signs, "*"];
  const fits = at.length === places.length && at.every((n, place) => marks[states[place]] === board[n]);
  return fits ? { board, at, marks, rest: rest.join(" ") } : null;
}

/** Edits the position of `view` in `root`. `on.show(view)` draws a board, `on.open(position)` begins there, `on.close()` ends. */
export function edit(root, subject, view, on) {
  const read = parts(view);
  if (!read) {
    show(root, h("p", {}, "Positions of this game are not written square by square. Paste one as text."), h("button", { type: "button", onclick: () => { show(root); on.close(); } }, "Close"));
    return;
  }
  let states = [...view.states];
  const wrong = h("p", { class: "notice", role: "alert", hidden: true });
  const names = [...new Set([...(view.players ?? []), ...(view.sides ?? [])])];
  const isName = names.includes(read.rest);
  const side = isName
    ? h("select", { "aria-label": "To move" }, names.map((name) => h("option", { value: name, selected: name === read.rest }, capital(name))))
    : h("input", { type: "text", value: read.rest, "aria-label": "To move, and what else the position says", hidden: read.rest === "" });
  const text = () => {
    const board = [...read.board];
    read.at.forEach((n, place) => (board[n] = read.marks[states[place]]));
    return [board.join(""), side.value].filter(Boolean).join(" ");
  };
  const code = h("code", { class: "current" });
  const most = view.signs.length + 1 + (view.states.includes(3) ? 1 : 0);
  const draw = () => {
    code.textContent = text();
    show(wrong);
    on.show({ ...view, states, moves: [], ending: [] }, (place) => {
      states = states.map((state, n) => (n === place ? (state + 1) % most : state));
      draw();
    });
  };
  const begin = async () => {
    try {
      const found = await about("scene", subject, text());
      show(root);
      on.open(found.position);
    } catch (error) {
      show(wrong, capital(error.message));
    }
  };
  side.addEventListener("input", draw);
  const clear = () => { states = states.map(() => 0); draw(); };
  show(root, h("h2", {}, "Set up a position"), h("p", {}, "Click a square to change what stands on it."), read.rest !== "" && h("label", { class: "mover" }, "To move ", side), code, wrong, h("div", { class: "buttons" }, h("button", { type: "button", id: "begin", onclick: begin }, "Begin here"), h("button", { type: "button", onclick: clear }, "Clear the board"), h("button", { type: "button", class: "quiet", onclick: () => { show(root); on.close(); } }, "Cancel")));
  draw();
}
