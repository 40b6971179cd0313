// The choice of a game and its parameters, or of a rules file.

import { about, check } from "./api.js";
import { Editor } from "./editor.js";
import { h, later, show } from "./dom.js";
import { reportOf } from "./report.js";
import { sizesOf } from "./sizes.js";
import { capital, count } from "./values.js";

const OWN = "own rules";
/** Positions that a sparse solve labels in a second, for estimates, and the seconds after which a user is asked first. */
const RATE = 800_000;
const SOON = 2;

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
  #editor;
  #report;
  #sizes;
  #offer;
  #other;
  #subject = null;
  #checked = new AbortController();
  /** The last rules and options that were valid. */
  #good = "";

  /** Calls `on.open(subject)` when the user has chosen a subject, and `on.checked(rules, report)` when rules are sound. */
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
      group("Built in", built.map((game) => option(game.name, game.title))),
      group("Rules files", library.map((game) => option(game.name, game.title))),
      group("Tables found", [...new Set(found.map((table) => table.game))].map((name) => option(name))),
      h("optgroup", { label: "Your own" }, option(OWN, "Rules of your own\u2026")),
    );
    this.#parameters = h("div", { class: "parameters" });
    this.#sizes = h("div", { class: "sizes", role: "group", "aria-label": "Sizes" });
    this.#offer = h("div", { class: "offer", role: "status" });
    this.#other = h("details", { class: "other" }, h("summary", {}, "Other sizes and rules"), this.#parameters, this.#offer);
    this.#report = h("div", { class: "report", "aria-live": "polite" });
    const changed = later(() => this.#read(), 400);
    this.#editor = new Editor(library, { changed, options: () => this.#options(), failed: (error) => show(this.#report, h("p", { class: "notice" }, capital(error.message))) });
    show(this.#root, h("div", { class: "field" }, h("label", { for: "game" }, "Game or table"), this.#select), this.#editor.element, this.#report, this.#sizes, this.#other);
  }

  /** Shows that `subject` is being played, without opening it again. */
  show(subject) {
    if (subject.rules !== undefined) {
      this.#select.value = OWN;
      this.#editor.text = subject.rules;
      this.#ownRules(true);
      document.getElementById("setup").open = true;
      if (this.#good !== JSON.stringify([subject.rules, subject.options])) this.#check(subject.options).catch(() => {});
      return;
    }
    if (![...this.#select.options].some((option) => option.value === subject.game)) this.#select.append(h("option", { value: subject.game }, subject.game));
    this.#select.value = subject.game;
    this.#ownRules(false);
    this.#fields(this.#specs(subject.game), subject.options);
    this.#usual(subject);
  }

  /** The text of the rules in the box. */
  get rules() {
    return this.#editor.text;
  }

  /** Offers the usual sizes of a game, all of which are solved at once. */
  #usual(subject) {
    this.#subject = subject;
    show(this.#offer);
    const specs = this.#specs(subject.game);
    this.#other.hidden = specs.length === 0;
    const { small, large } = sizesOf(this.#games.find((game) => game.name === subject.game) ?? {});
    const key = (options) => JSON.stringify(specs.map(({ name, default: usual = null }) => options[name] ?? usual));
    const button = (isLarge) => ({ options, name }) => h("button", { type: "button", class: isLarge ? "large" : "", title: isLarge ? "Too large to be solved in a moment: values appear near the end" : null, "aria-pressed": String(key(options) === key(subject.options ?? {})), onclick: () => this.#on.open({ game: subject.game, options }) }, name);
    const isHeld = this.#sizes.querySelector(":focus-visible") !== null;
    show(this.#sizes, small.length + large.length > 1 && [...small.map(button(false)), ...large.map(button(true))]);
    if (isHeld) this.#sizes.querySelector('[aria-pressed="true"]')?.focus();
  }

  /** Opens a size that the user typed if it is solved at once. Otherwise says what it needs, or which sizes work. */
  async #consider() {
    const subject = { game: this.#select.value, options: this.#options() };
    this.#checked.abort();
    this.#checked = new AbortController();
    show(this.#offer, h("p", { class: "dim" }, "Looking at this size\u2026"));
    try {
      const size = await about("estimate", subject, null, this.#checked.signal);
      const number = size.positions ?? size.positions_about ?? size.positions_at_least;
      const seconds = size.sweep_seconds ?? number / RATE;
      if (size.solved_on_request && seconds < SOON) return this.#on.open(subject);
      const many = number === null || number === undefined ? "more than 2^64" : `${size.positions ? "" : "about "}${count(number)}`;
      const needs = size.solved_on_request ? `Solving takes about ${Math.ceil(seconds)} s${size.memory_bytes ? ` and ${count(Math.ceil(size.memory_bytes / 1e6))} MB of memory` : ""}.` : "This is too large to be solved here. You can play it, and values appear near the end.";
      show(this.#offer, h("p", {}, `${size.title}: ${many} positions. ${needs}`), h("button", { type: "button", onclick: () => this.#on.open(subject) }, size.solved_on_request ? "Solve and play" : "Play"));
    } catch (error) {
      if (error.name === "AbortError") return;
      show(this.#offer, h("p", { class: "notice" }, capital(error.message)), this.#sizes.childElementCount > 0 && h("p", {}, "The sizes above work."));
    }
  }

  #ownRules(isOwn) {
    this.#root.querySelector("#rules-box").hidden = !isOwn;
    document.getElementById("play").classList.toggle("editing", isOwn);
    if (!isOwn) return this.#report.replaceChildren();
    show(this.#sizes);
    show(this.#offer);
    this.#other.hidden = false;
    this.#other.open = true;
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
    this.#on.open({ game: name, options: {} });
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
    const changed = later(() => (this.#select.value === OWN ? this.#read() : this.#consider()), 350);
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

  /** Reads the rules in the box, and shows their mistakes or opens them. */
  async #read() {
    const options = this.#options();
    const rules = this.#editor.text;
    if (await this.#check(options)) this.#on.open({ rules, options });
  }

  async #check(options) {
    this.#checked.abort();
    this.#checked = new AbortController();
    try {
      const rules = this.#editor.text;
      const report = await check(rules, options, this.#checked.signal);
      this.#editor.note([]);
      this.#good = JSON.stringify([rules, options]);
      this.#fields(report.parameters.map((parameter) => ({ ...parameter, expected: parameter.expected ?? (parameter.name === "play" ? "normal, misere or draw" : "a whole number from 0 to 64") })), options);
      show(this.#report, reportOf(report));
      this.#on.checked(rules, report);
      return true;
    } catch (error) {
      if (error.name === "AbortError") return false;
      const mistakes = error.mistakes?.length > 0 ? error.mistakes : [{ line: null, message: error.message }];
      this.#editor.note(mistakes);
      show(this.#report, h("ul", { class: "mistakes" }, mistakes.map(({ line, column, message }) => h("li", {}, line === null || line === undefined ? message : h("button", { type: "button", class: "quiet", onclick: () => this.#editor.goTo(line, column) }, message)))));
      return false;
    }
  }
}
