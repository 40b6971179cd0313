// The choice of a game and its parameters, or of a rules file.

import { check } from "./api.js";
import { h, later, show } from "./dom.js";
import { count } from "./values.js";

const OWN = "own rules";

/** The initial text in the box for rules: a small example game. */
const EXAMPLE = `name = "my-game-{rows}x{cols}"
play = "normal"
parameters = { rows = 4, cols = 4 }
board = { rows = "rows", cols = "cols" }

# X is filled; the shape may be turned.
[[move]]
shape = "XX"
turns = true
`;

/** The kind of input field for a parameter that the server describes. */
function kindOf(parameter) {
  if (parameter.value === "") return { kind: "flag" };
  if (parameter.value === "FILE") return { kind: "text" };
  const words = parameter.value?.includes("|") ? parameter.value.split("|") : parameter.expected?.match(/^\w+(, \w+)* or \w+$/)?.[0].split(/, | or /);
  if (words) return { kind: "words", words };
  const range = /a whole number from (\d+) to (\d+)/.exec(parameter.expected ?? "");
  if (range) return { kind: "number", least: range[1], most: range[2] };
  return parameter.value === "N" ? { kind: "number", least: 0 } : { kind: "line" };
}

export class Setup {
  #root;
  #on;
  #games = [];
  #select;
  #parameters;
  #rules;
  #report;
  #checked = new AbortController();
  /** The last rules and options that were valid. */
  #good = "";

  /** Calls `on.open(subject)` when the user has chosen a subject. */
  constructor(root, on) {
    this.#root = root;
    this.#on = on;
  }

  /** Shows the choice of games and tables. */
  fill(games, tables) {
    this.#games = games;
    const option = (name, label) => h("option", { value: name }, label ?? name);
    const [built, library] = [games.filter((game) => game.options), games.filter((game) => !game.options)];
    const found = tables.filter((table) => table.game);
    const group = (label, options) => (options.length > 0 ? h("optgroup", { label }, options) : null);
    this.#select = h(
      "select",
      { id: "game", onchange: () => this.#chosen() },
      group("Built in", built.map((game) => option(game.name))),
      group("Rules files", library.map((game) => option(game.name))),
      group("Tables found", [...new Set(found.map((table) => table.game))].map((name) => option(name))),
      h("optgroup", { label: "Your own" }, option(OWN, "Rules of your own\u2026")),
    );
    this.#parameters = h("div", { class: "parameters" });
    this.#report = h("div", { class: "report", "aria-live": "polite" });
    const changed = later(() => this.#read(), 400);
    this.#rules = h("textarea", { id: "rules", rows: 14, spellcheck: "false", autocapitalize: "off", autocomplete: "off", oninput: changed, "aria-describedby": "rules-help" });
    this.#rules.value = EXAMPLE;
    const box = h("div", { class: "rules", id: "rules-box", hidden: true }, h("label", { for: "rules" }, "Rules file"), this.#rules, h("p", { class: "dim", id: "rules-help" }, "A rules file in TOML. The board changes as you type."));
    show(this.#root, h("div", { class: "field" }, h("label", { for: "game" }, "Game or table"), this.#select), box, this.#parameters, this.#report);
  }

  /** Shows that `subject` is being played, without opening it again. */
  show(subject) {
    if (subject.rules !== undefined) {
      this.#select.value = OWN;
      if (this.#rules.value !== subject.rules) this.#rules.value = subject.rules;
      this.#ownRules(true);
      if (this.#good !== JSON.stringify([subject.rules, subject.options])) this.#check(subject.options).catch(() => {});
      return;
    }
    if (![...this.#select.options].some((option) => option.value === subject.game)) this.#select.append(h("option", { value: subject.game }, subject.game));
    this.#select.value = subject.game;
    this.#ownRules(false);
    this.#fields(this.#specs(subject.game), subject.options);
  }

  #ownRules(isOwn) {
    this.#root.querySelector("#rules-box").hidden = !isOwn;
    if (!isOwn) this.#report.replaceChildren();
  }

  #specs(name) {
    const game = this.#games.find((game) => game.name === name);
    return game?.options ?? game?.parameters ?? [];
  }

  #chosen() {
    const name = this.#select.value;
    if (name === OWN) {
      this.#ownRules(true);
      this.#parameters.replaceChildren();
      this.#read();
      return;
    }
    this.#ownRules(false);
    this.#fields(this.#specs(name), {});
    this.#open();
  }

  /** The fields of the parameters, with their values. */
  #fields(specs, options) {
    const key = JSON.stringify(specs);
    if (this.#parameters.dataset.key === key) {
      // The fields stay the same with other values. The field with the focus keeps its value, because the user may be
      // typing.
      for (const spec of specs) {
        const field = this.#parameters.querySelector(`[name="${CSS.escape(spec.name)}"]`);
        if (field && field !== document.activeElement) this.#set(field, options[spec.name] ?? spec.default ?? spec.sample ?? "");
      }
      return;
    }
    this.#parameters.dataset.key = key;
    const changed = later(() => (this.#select.value === OWN ? this.#read() : this.#open()), 350);
    const field = (spec) => {
      const how = kindOf(spec);
      const id = `parameter-${spec.name}`;
      const shared = { id, name: spec.name, oninput: changed, "aria-describedby": `${id}-help` };
      const input = {
        flag: () => h("input", { ...shared, type: "checkbox" }),
        text: () => h("textarea", { ...shared, rows: 7, spellcheck: "false" }),
        words: () => h("select", shared, how.words?.map((word) => h("option", { value: word }, word))),
        number: () => h("input", { ...shared, type: "number", min: how.least, max: how.most, step: 1, inputmode: "numeric" }),
        line: () => h("input", { ...shared, type: "text", autocomplete: "off" }),
      }[how.kind]();
      this.#set(input, options[spec.name] ?? spec.default ?? spec.sample ?? "");
      return h("div", { class: `field of-${how.kind}` }, h("label", { for: id }, spec.name), input, h("p", { class: "dim", id: `${id}-help` }, spec.help));
    };
    this.#parameters.replaceChildren(...specs.map(field));
  }

  #set(field, value) {
    if (field.type === "checkbox") field.checked = value === "true";
    else field.value = value;
  }

  /** The options that differ from their defaults. */
  #options() {
    const options = {};
    for (const field of this.#parameters.querySelectorAll("[name]")) {
      const spec = this.#current?.find((spec) => spec.name === field.name);
      const value = field.type === "checkbox" ? String(field.checked) : field.value;
      if (value !== "" && value !== (spec?.default ?? "")) options[field.name] = value;
    }
    return options;
  }

  get #current() {
    return JSON.parse(this.#parameters.dataset.key ?? "[]");
  }

  #open() {
    this.#on.open({ game: this.#select.value, options: this.#options() });
  }

  /** Reads the rules in the box, and shows their mistakes or opens them. */
  async #read() {
    const options = this.#options();
    const rules = this.#rules.value;
    if (await this.#check(options)) this.#on.open({ rules, options });
  }

  async #check(options) {
    this.#checked.abort();
    this.#checked = new AbortController();
    try {
      const report = await check(this.#rules.value, options, this.#checked.signal);
      this.#good = JSON.stringify([this.#rules.value, options]);
      this.#fields(report.parameters.map((parameter) => ({ ...parameter, expected: parameter.expected ?? (parameter.name === "play" ? "normal, misere or draw" : "a whole number from 0 to 64") })), options);
      const fact = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
      show(
        this.#report,
        h("p", { class: "good" }, h("strong", {}, report.game), report.summary ? `: ${report.summary}` : ""),
        h("dl", { class: "facts" }, fact("squares", count(report.squares)), fact("moves", count(report.moves)), fact("positions", report.positions === null ? "more than 2^64" : count(report.positions)), fact("solver", report.solver)),
        report.warnings.map((warning) => h("p", { class: "warning" }, warning)),
      );
      return true;
    } catch (error) {
      if (error.name === "AbortError") return false;
      const mistakes = error.mistakes?.length > 0 ? error.mistakes : [{ line: null, message: error.message }];
      show(this.#report, h("ul", { class: "mistakes" }, mistakes.map(({ line, message }) => h("li", {}, line === null || line === undefined ? message : h("button", { type: "button", class: "quiet", onclick: () => this.#goToLine(line) }, message)))));
      return false;
    }
  }

  /** Selects a line of the rules. */
  #goToLine(line) {
    const lines = this.#rules.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    this.#rules.focus();
    this.#rules.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  }
}
