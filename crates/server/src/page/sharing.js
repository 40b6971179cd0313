// Sharing a game as a link or as text, and a box for what is pasted.

import { h, show } from "./dom.js";
import { read } from "./pasted.js";
import { capital } from "./values.js";

/** An option as text. A list has commas between its lines, and `~` between the words of a line: `graph=a~b,b~c`. */
const option = ([name, value]) => ` ${name}=${value.replace(/#.*/g, "").trim().replace(/\s*\n\s*/g, ",").replace(/\s+/g, "~")}`;

/** The game of `subject` as text: its name, its options, the first `position` if it is not the start, and the moves. */
export function written(subject, { position, moves }) {
  if (!subject.game) return null;
  const options = Object.entries(subject.options ?? {}).map(option);
  return `${subject.game}${options.join("")}${position === null ? "" : ` from ${position}`}: ${moves.join(", ")}`;
}

/** Shows what can be copied, and a box for what is pasted, with `examples`. Calls `on.link(hash)` or `on.game(read)`, which returns an
 * error if the game cannot be opened; the box then stays open. `known` is what [`read`] needs. */
export function fill(body, dialog, { link, embed, text, examples, known }, on) {
  const copy = (value, label) => {
    const field = h("input", { type: "text", readonly: true, "aria-label": label, onfocus: (event) => event.target.select() });
    field.value = value;
    const button = h("button", { type: "button", onclick: async () => {
      try {
        await navigator.clipboard.writeText(value);
        button.textContent = "Copied";
      } catch {
        // Browsers allow clipboard access only for https and local pages.
        field.select();
        button.textContent = "Selected";
      }
    } }, "Copy");
    return h("div", { class: "copied" }, h("span", {}, label), field, button);
  };
  const pasted = h("textarea", { id: "pasted", rows: 4, spellcheck: "false", "aria-label": "A link, a game as text, a position, or moves" });
  const wrong = h("div", { class: "notice", role: "alert", hidden: true });
  const refuse = ({ message, details }) => show(wrong, h("p", {}, capital(message)), details && h("p", {}, capital(details)));
  const open = async ({ currentTarget: button }) => {
    show(wrong);
    button.disabled = true;
    try {
      const found = await read(pasted.value.trim(), known);
      let error = found.hash ? on.link(found.hash) : await on.game(found);
      // If no move of the list is possible, the text may be a position.
      if (error && found.otherwise) error = await found.otherwise().then(on.game, (other) => (error.ply > 1 ? error : other));
      if (error) return refuse(error);
      dialog.close();
    } catch (error) {
      refuse(error);
    } finally {
      button.disabled = false;
    }
  };
  const frames = h("p", { class: "dim" }, "A page on another site shows this frame only if the server was started with ", h("code", {}, "--allow-origin"), " and the address of that site. Otherwise the frame stays grey.");
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  const local = isLocal && h("p", { class: "dim", id: "local" }, "The link works on this computer only. Start the server with ", h("code", {}, "--listen"), " and an address of this computer to share links with others.");
  show(body, copy(link, "Link"), local, text && copy(text, "As text"), copy(embed, "Embed"), frames, h("h3", {}, "Paste"), h("p", { class: "dim" }, "A link, a game as text, a position of this game, or its moves from the start. Examples:"), h("div", { class: "buttons" }, examples.map((example) => h("button", { type: "button", class: "quiet", onclick: () => (pasted.value = example) }, h("code", {}, example)))), pasted, wrong, h("div", { class: "buttons" }, h("button", { type: "button", onclick: open }, "Open"), h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Close")));
}
