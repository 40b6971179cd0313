// The editor of rules files: line numbers, and each mistake beside its line.

import { keys, rules, table } from "./api.js";
import { h, show } from "./dom.js";

/** The initial text: a small example game. */
const EXAMPLE = `name = "my-game-{rows}x{cols}"
play = "normal"
parameters = { rows = 4, cols = 4 }
board = { rows = "rows", cols = "cols" }

# X is filled; the shape may be turned.
[[move]]
shape = "XX"
turns = true
`;

/** The names of the table and the keys that are open at the end of a rules file's text, outermost first, and whether a table is. */
function pathIn(text) {
  let [heading, key] = ["", ""];
  const open = [];
  for (const [token, table, name] of text.matchAll(/^[ \t]*\[\[?([\w-]+)\]\]?[ \t]*$|([\w-]+)[ \t]*=|"""[^]*?(?:"""|(?![^]))|"[^"\n]*"?|'[^'\n]*'?|#.*|[[\]{}]|\n/gm)) {
    if (table && !open.length) [heading, key] = [table, ""];
    else if (name) key = name;
    else if ("[{".includes(token)) (open.push(key), (key = ""));
    else if ("]}".includes(token)) key = open.pop() ?? "";
    else if (token === "\n" && !open.length) key = "";
  }
  return { path: [heading, ...open, key].filter(Boolean), isInTable: heading !== "" || open.length > 0 };
}

export class Editor {
  element;
  #keys;
  #help;
  #text;
  #lines;
  #notes;

  /** Calls `on.changed()` when the text has changed, `on.options()` for the parameters, and `on.failed(error)`. `games` are the games whose rules files can be opened. */
  constructor(games, on) {
    this.#lines = h("div", { class: "linenumbers", "aria-hidden": "true" });
    this.#notes = h("div", { class: "notes", "aria-hidden": "true" });
    const changed = () => (this.#number(), this.#notes.replaceChildren(), on.changed());
    this.#text = h("textarea", { id: "rules", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", oninput: changed, onscroll: () => this.#follow(), onfocus: () => this.#explain(), onselect: () => this.#explain(), onkeyup: () => this.#explain(), onclick: () => this.#explain(), "aria-describedby": "rules-help" });
    const start = h("select", { id: "start", "aria-label": "Start from", onchange: async () => {
      const name = start.value;
      start.value = "";
      this.text = (await rules(name)).rules;
      on.changed();
    } }, h("option", { value: "" }, "Start from…"), games.map((game) => h("option", { value: game.name }, game.title)));
    const save = (content, ending) => {
      const name = /^name\s*=\s*"([\w-]*)/m.exec(this.text)?.[1].replace(/-+$/, "") || "rules";
      const url = URL.createObjectURL(new Blob([content]));
      h("a", { href: url, download: `${name}.${ending}` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 1000);
    };
    const saveTable = async (event) => {
      const button = event.currentTarget;
      button.disabled = true;
      try {
        save(await table(this.text, on.options()), "tb");
      } catch (error) {
        on.failed(error);
      }
      button.disabled = false;
    };
    const tools = h("div", { class: "buttons" }, start, h("button", { type: "button", onclick: () => save(this.text, "toml") }, "Download file"), h("button", { type: "button", onclick: saveTable }, "Download table"));
    this.#help = h("p", { class: "dim", id: "rules-help" }, "A rules file in TOML. The board changes as you type.");
    this.element = h("div", { class: "rules", id: "rules-box", hidden: true }, h("div", { class: "ruleshead" }, h("label", { for: "rules" }, "Rules file"), tools), h("div", { class: "editor" }, this.#lines, this.#text, this.#notes), this.#help);
    this.text = EXAMPLE;
  }

  get text() {
    return this.#text.value;
  }

  set text(text) {
    if (this.#text.value === text) return;
    this.#text.value = text;
    this.#number();
    this.#notes.replaceChildren();
  }

  #number() {
    const count = this.text.split("\n").length;
    if (this.#lines.childElementCount !== count) this.#lines.replaceChildren(...Array.from({ length: count }, (_, n) => h("span", {}, n + 1)));
    for (const line of this.#lines.querySelectorAll(".wrong")) line.classList.remove("wrong");
    this.#follow();
  }

  /** Explains the key at the cursor. */
  async #explain() {
    this.#keys ??= keys().catch(() => (this.#keys = null));
    const { tables } = (await this.#keys) ?? {};
    if (!tables) return;
    const at = this.#text.selectionStart;
    // A key that the cursor is in counts, too.
    const rest = /^[\w-]*[ \t]*=/.exec(this.text.slice(at))?.[0] ?? "";
    const { path, isInTable } = pathIn(this.text.slice(0, at) + rest);
    const table = isInTable && path[0] in tables ? path.shift() : "file";
    const key = path.findLast((name) => name in tables[table]);
    const { meaning, example } = tables[table][key] ?? {};
    show(this.#help, ...(key ? [h("code", {}, key), `: ${meaning}. For example: `, h("code", {}, example)] : [`Keys of ${table === "file" ? "the file" : table}: ${Object.keys(tables[table]).join(", ")}`]));
  }

  #follow() {
    for (const layer of [this.#lines, this.#notes]) layer.style.translate = `0 ${-this.#text.scrollTop}px`;
  }

  /** Shows mistakes beside their lines. */
  note(mistakes) {
    this.#number();
    const placed = mistakes.filter(({ line }) => line);
    placed.forEach(({ line }) => this.#lines.children[line - 1]?.classList.add("wrong"));
    show(this.#notes, placed.map(({ line, message }) => {
      const note = h("span", {}, message.replace(/^.*?line \d+, column \d+: /, ""));
      note.style.top = `calc(${line - 1} * var(--line))`;
      return note;
    }));
    this.#notes.hidden = false;
  }

  /** Selects the rest of a line from a column. */
  goTo(line, column) {
    const lines = this.text.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    // A column counts characters, and the length of a text does not.
    const before = [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
    this.#text.focus();
    this.#text.setSelectionRange(start + before, start + (lines[line - 1]?.length ?? 0));
  }
}
