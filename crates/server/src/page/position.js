// The position editor: clicks change the board, and the server reads the text that this makes.

import { about } from "./api.js";
import { h, show } from "./dom.js";
import { capital } from "./values.js";

/** Edits the position of `view`, which is written in `form`, in `root`. `on.show(view, click)` draws a board, `on.open(position)` begins
 * there, `on.close()` ends. */
export function edit(root, subject, view, form, on) {
  let states = view.states;
  const wrong = h("p", { class: "notice", role: "alert", hidden: true });
  const after = form.choices
    ? h("select", {}, form.choices.map(([value, name]) => h("option", { value, selected: value === form.rest }, name)))
    : h("input", { type: "text", value: form.rest });
  const text = () => [form.board(states), after.value].filter(Boolean).join(" ");
  const code = h("code", { class: "current" });
  const left = h("p", { role: "status", hidden: true });
  const begin = h("button", { type: "button", id: "begin", onclick: async () => {
    try {
      const { position } = await about("scene", subject, text());
      show(root);
      on.open(position);
    } catch (error) {
      show(wrong, capital(error.message));
    }
  } }, "Begin here");
  const draw = () => {
    code.textContent = text();
    show(wrong);
    const hand = form.left(states);
    show(left, hand > 0 && `${hand} in your hand`);
    begin.disabled = hand > 0;
    on.show({ ...view, states, joint: form.joint(after.value), moves: [], ending: [] }, (place) => {
      states = form.clicked(states, place);
      draw();
    });
  };
  after.addEventListener("input", draw);
  const clear = () => {
    states = states.map(() => 0);
    draw();
  };
  const cancel = () => {
    show(root);
    on.close();
  };
  show(root, h("h2", {}, "Set up a position"), h("p", {}, form.help), h("label", { class: "mover", hidden: form.choices?.length === 1 }, `${form.label} `, after), code, left, wrong, h("div", { class: "buttons" }, begin, h("button", { type: "button", onclick: clear }, "Clear the board"), h("button", { type: "button", class: "quiet", onclick: cancel }, "Cancel")));
  draw();
}
