// The position editor: clicks change the board, and the server reads the text that this makes.

import { about } from "./api.js";
import { h, show } from "./dom.js";
import { capital } from "./values.js";

/** Edits the position of `view`, which is written in `form`, in `root`. `on.show(view, click)` draws a board, `on.open(position)` begins
 * there, `on.close()` ends. */
export function edit(root, subject, view, form, on) {
  let states = view.states;
  const wrong = h("p", { class: "notice", role: "alert", hidden: true });
  const field = ({ value, choices, least, most }) => {
    if (choices) return h("select", {}, choices.map(([one, name]) => h("option", { value: one, selected: one === value }, name)));
    return most === undefined ? h("input", { type: "text", value }) : h("input", { type: "number", min: least, max: most, value });
  };
  const fields = form.fields.map(field);
  const rest = () => form.rest(fields.map(({ value }) => value));
  const text = () => [form.board(states), rest()].filter(Boolean).join(" ");
  const code = h("code", { class: "current" });
  const left = h("p", { role: "status", hidden: true });
  const begin = h("button", { type: "button", id: "begin", onclick: async () => {
    try {
      const { position } = await about("scene", subject, text());
      show(root);
      // The text of a position lacks the names of the players.
      on.open(view.names ? text() : position);
    } catch (error) {
      show(wrong, capital(error.message));
    }
  } }, "Begin here");
  // The pieces of each side in hand and on the board together: what goes to the board leaves the hand.
  const totals = form.standing?.(states).map((number, n) => number + Number(fields[n + 1].value));
  const settle = () => form.standing?.(states).forEach((number, n) => (fields[n + 1].value = Math.max(0, totals[n] - number)));
  const draw = () => {
    code.textContent = text();
    show(wrong);
    const hand = form.left(states);
    show(left, hand > 0 && `${hand} in your hand`);
    begin.disabled = hand > 0;
    on.show({ ...view, states, joint: form.joint(rest()), moves: [], ending: [] }, (place) => {
      states = form.clicked(states, place);
      settle();
      draw();
    });
  };
  fields.forEach((field, n) => field.addEventListener("input", () => {
    if (totals && n > 0) totals[n - 1] = Number(field.value) + form.standing(states)[n - 1];
    draw();
  }));
  const clear = () => {
    states = states.map(() => 0);
    settle();
    draw();
  };
  const cancel = () => {
    show(root);
    on.close();
  };
  show(root, h("h2", {}, "Set up a position"), h("p", {}, form.help), h("div", { class: "buttons" }, form.fields.map(({ label, choices }, n) => h("label", { hidden: choices?.length === 1 }, `${label} `, fields[n]))), code, left, wrong, h("div", { class: "buttons" }, begin, h("button", { type: "button", onclick: clear }, form.clear), h("button", { type: "button", class: "quiet", onclick: cancel }, "Cancel")));
  draw();
}
