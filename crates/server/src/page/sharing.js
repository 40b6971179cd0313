// Sharing a game as a link or as text, and reading either.
//
//   connect-four rows=4 cols=5: c1, d1, c2

import { h, show } from "./dom.js";

/** The game so far as text: the game, its options, the position at which it began, and the moves. */
export function written(session, isFromStart) {
  const { subject, entries, index } = session;
  if (!subject.game) return null;
  const options = Object.entries(subject.options ?? {}).filter(([, value]) => !value.includes("\n")).map(([name, value]) => ` ${name}=${value}`);
  const start = isFromStart ? "" : ` from ${session.textOf(0)}`;
  return `${subject.game}${options.join("")}${start}: ${entries.slice(1, index + 1).map(({ move }) => move).join(", ")}`;
}

/** Reads a game as text. Returns its subject, its first position and its moves; null if it is not one. */
export function read(text) {
  const found = /^\s*([\w.+-]+)((?:\s+[\w.-]+=\S+)*)(?:\s+from\s+([^:]+?))?\s*(?::\s*([\s\S]*))?$/.exec(text);
  if (!found) return null;
  const [, game, options, position, moves = ""] = found;
  const pairs = options.trim().split(/\s+/).filter(Boolean).map((pair) => pair.split(/=(.*)/s).slice(0, 2));
  return { subject: { game, options: Object.fromEntries(pairs) }, position, moves: moves.split(",").map((move) => move.trim()).filter(Boolean) };
}

/** Shows what can be copied, and a box for what is pasted, with `examples`. Calls `on.link(hash)`, `on.game(read)` if `isGame(name)`, or
 * else `on.position(text)`. */
export function fill(body, dialog, { link, embed, text, examples, isGame }, on) {
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
  const wrong = h("p", { class: "notice", role: "alert", hidden: true });
  const open = () => {
    const value = pasted.value.trim();
    const hash = /#(game|rules)=\S+/.exec(value)?.[0];
    const game = hash ? null : read(value);
    if (value === "") return show(wrong, "Cannot read this: expected a link, a game, a position or moves, found nothing.");
    dialog.close();
    if (hash) on.link(hash);
    else if (game && isGame(game.subject.game)) on.game(game);
    else on.position(value);
  };
  show(body, copy(link, "Link"), text && copy(text, "As text"), copy(embed, "Embed"), h("h3", {}, "Paste"), h("p", { class: "dim" }, "A link, a game as text, a position of this game, or its moves from the start. Examples:"), h("div", { class: "buttons" }, examples.map((example) => h("button", { type: "button", class: "quiet", onclick: () => (pasted.value = example) }, h("code", {}, example)))), pasted, wrong, h("div", { class: "buttons" }, h("button", { type: "button", onclick: open }, "Open"), h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Close")));
}
