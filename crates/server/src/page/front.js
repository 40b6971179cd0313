// The first page: the best known games with a picture, their titles and winners, and all others folded by kind.

import * as address from "./address.js";
import { about } from "./api.js";
import { byId, h, s, show } from "./dom.js";
import { ABOUT, fit, missing, plain, searchable } from "./names.js";
import { side } from "./pieces.js";
import { UNIT, areas, bars, dress, frame, hasPits, outline, piece, scenery, tileFace } from "./shapes.js";
import { sizesOf } from "./sizes.js";
import { capital } from "./values.js";

const KEY = "tablegen-recent";
const MOST = 6;
// Rules files of the server may have no kind.
const KINDS = { fill: "Fill squares", place: "Place pieces", move: "Move pieces", lines: "Lines, tiles, words", null: "Other rules" };

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

/** Notes that a game was opened, for the list of recent games. */
export function opened(title, hash) {
  try {
    const others = stored().filter((recent) => recent.title !== title);
    localStorage.setItem(KEY, JSON.stringify([{ title, hash }, ...others].slice(0, MOST)));
  } catch {
    // Private windows may refuse to store anything.
  }
}

/** The winner of the start, if a preview has it. */
export function winner({ outcome, outcome_class: kind, players, sides }) {
  // The name of a side may be a plural, such as Hounds, so no verb follows it.
  const [first, second] = players?.map(capital) ?? ["the first player", "the second player"];
  if (kind === "L" || kind === "R") return `A win for ${capital(sides[kind === "L" ? 0 : 1])}, whoever begins`;
  if (kind === "N") return "The player who begins wins";
  if (kind === "P") return "The player who begins loses";
  return { win: `A win for ${first}${players ? ", moving first" : ""}`, loss: `A win for ${second}${players ? ", moving second" : ""}`, draw: "A draw" }[outcome] ?? "";
}

/** The pits of a preview with the numbers of their pieces. */
function filled(view, groups) {
  if (hasPits(view)) groups.forEach((group, n) => (group.lastChild.textContent = view.areas[n].places.filter((place) => view.states[place] > 0).length));
  return groups;
}

/** The board of a preview as a small picture. */
export function thumbnail(view) {
  const by = {};
  for (const ply of view.signs.length > 1 ? [] : view.plies) for (const place of ply.handles.flat()) by[place] = view.sides && view.players ? (view.sides.indexOf(view.players[0]) + ply.player) % 2 : ply.player;
  const box = h("div", { class: "thumb", "data-layout": view.layout, "data-board": view.looks.board, "data-colours": view.signs.length, "data-pieces": view.looks.pieces[0] });
  if (view.layout === "words") {
    box.append(...view.places.slice(0, 7).map(({ name }, n) => h("span", { class: view.states[n] > 0 ? "said dim" : "said" }, name)));
    return box;
  }
  // A very long row is broken into two.
  const line = view.layout === "row" && view.places.length > 14 ? Math.ceil(view.places.length / 2) : 0;
  const points = view.places.map((place, n) => (line ? [(n % line) + 0.5, Math.floor(n / line) * 1.1 + 0.5] : place.at));
  const at = ([x, y]) => `translate(${x * UNIT} ${y * UNIT})`;
  const own = new Set(view.plies.flatMap(({ handles }) => handles.flat()));
  // Where pieces move, a place that a move named may be free again, and all pieces look alike.
  const isAlike = view.signs.length > 1 || [...own].some((n) => view.states[n] === 0);
  const places = view.places.map((place, n) => {
    const state = view.states[n];
    const face = view.layout === "tiles" ? s("g", { class: "face" }, tileFace(place.ends.map((joint) => view.joints[joint].name))) : null;
    return s("g", { class: `place${state > 0 ? ` filled state${state}` : ""}${by[n] === undefined ? "" : ` ${side(by[n])}`}`, "data-paint": view.looks.paint[n], transform: at(points[n]) }, outline(view, place), face, piece(view, place, state, isAlike || own.has(n), by[n]));
  });
  const isBarred = view.signs.length === 1 && view.looks.pieces[0] === "blocks" && ["squares", "row"].includes(view.layout);
  const groups = view.plies.map(({ handles }) => ({ places: handles.flat(), side: by[handles[0]?.[0]] }));
  const runs = s("g", { class: "runs" }, isBarred ? bars(groups, points) : []);
  const joints = view.layout === "edges" ? view.joints.map((joint) => s("g", { class: "joint", transform: at(joint.at) }, s("circle", { r: 11 }))) : [];
  const [left, top, right, bottom] = frame(view, line ? [line, 2.1] : view.size, true);
  const svg = s("svg", { class: "drawing", viewBox: `${left} ${top} ${right - left} ${bottom - top}`, "aria-hidden": "true" }, scenery(view), filled(view, areas(view)), places, runs, joints);
  dress(svg, view.looks);
  box.append(svg);
  return box;
}

/** What to expect of the well-known sizes of a game that are too large to be solved here. */
function searched(game) {
  const names = sizesOf(game).large.map(({ name }) => name);
  return names.length > 0 && h("span", { class: "dim large" }, `${names.join("; ")}: values near the end`);
}

export class Front {
  #tiles = [];
  /** The items of the first list, and those of each fold. */
  #first = [];
  #kept = [];
  #folds = [];
  #absent = [];
  /** The names of games and tables. */
  #names = [];
  // Where there is room, every game is in view.
  #isWide = matchMedia("(min-width: 700px)").matches;

  /** Fills the page with tiles. Their pictures are loaded when they come into view. */
  async fill({ games, absent = [] }, tables, complete) {
    this.#absent = absent;
    const order = (game) => game.featured ?? games.length;
    const sorted = [...games].sort((a, b) => order(a) - order(b) || a.title.localeCompare(b.title, "en"));
    byId("search").addEventListener("input", () => this.#filter());
    // Enter opens the game that fits best.
    byId("search").addEventListener("keydown", ({ key }) => key === "Enter" && plain(byId("search").value) !== "" && byId("games").querySelector(".card")?.click());
    const watch = new IntersectionObserver((entries) => entries.filter((entry) => entry.isIntersecting).forEach(({ target }) => (watch.unobserve(target), this.#draw(target))), { rootMargin: "300px" });
    this.#tiles = await Promise.all(
      sorted.map(async (game) => {
        const subject = complete({ game: game.name, options: {} });
        const hash = await address.write({ game: game.name, options: {} });
        const picture = h("div", { class: "thumb empty" });
        const tile = h("a", { class: "card", href: hash, "data-game": game.name }, picture, h("strong", {}, game.title), h("span", { class: "who dim" }), h("span", { class: "about dim" }, game.summary), searched(game));
        return { game, words: searchable(game), subject, tile, item: h("li", {}, tile) };
      }),
    );
    const items = (isShown) => this.#tiles.filter(({ game }) => isShown(game)).map(({ item }) => item);
    // A server of a few games shows them all.
    const isFirst = (game) => game.featured !== null || games.length <= 12;
    this.#first = items(isFirst);
    show(byId("games"), this.#first);
    const kinds = Object.entries(KINDS).map(([kind, label]) => [label, items((game) => !isFirst(game) && String(game.kind) === kind)]);
    this.#folds = kinds.filter(([, all]) => all.length > 0).map(([label, all]) => h("details", { class: "fold", open: this.#isWide }, h("summary", {}, h("h2", {}, label), h("span", { class: "dim" }, `${all.length} ${all.length === 1 ? "game" : "games"}`)), h("ul", { class: "games" }, all)));
    this.#kept = kinds.filter(([, all]) => all.length > 0).map(([, all]) => all);
    byId("games").after(...this.#folds);
    this.#tiles.forEach(({ tile }) => watch.observe(tile));
    const found = [...new Set(tables.map((table) => table.game).filter(Boolean))];
    const link = async (name) => h("a", { href: await address.write({ game: name, options: {} }) }, h("code", {}, name));
    this.#names = [...games.map(({ name }) => name), ...found];
    show(byId("found"), found.length > 0 && [h("span", { class: "dim" }, "Tables found:"), ...(await Promise.all(found.map(link)))]);
    this.recent();
  }

  async #draw(target) {
    const { game, subject, tile } = this.#tiles.find(({ tile }) => tile === target);
    try {
      const preview = await about("preview", subject);
      tile.querySelector(".thumb").replaceWith(thumbnail(preview));
      // The smallest set of dominoes that is solved on request is not the usual one.
      if (preview.title.startsWith(tile.querySelector("strong").textContent)) tile.querySelector("strong").textContent = preview.title;
      tile.querySelector(".who").textContent = winner(preview) || (game.featured === null ? "" : "Values near the end");
    } catch {
      tile.querySelector(".thumb").classList.remove("empty");
    }
  }

  /** Shows the games that fit what is typed in one list, the best first; or all games in their places. */
  #filter() {
    const typed = byId("search").value;
    const isSearch = plain(typed) !== "";
    const ranked = isSearch ? this.#tiles.map(({ words, item }) => ({ item, rank: fit(words, typed) })).filter(({ rank }) => rank !== null) : [];
    // Words about a game count only if no name fits.
    const isNamed = ranked.some(({ rank }) => rank < ABOUT);
    const fits = ranked.filter(({ rank }) => !isNamed || rank < ABOUT).sort((a, b) => a.rank - b.rank);
    this.#folds.forEach((fold, n) => {
      fold.hidden = isSearch;
      fold.open = this.#isWide;
      fold.lastChild.replaceChildren(...this.#kept[n]);
    });
    byId("games").replaceChildren(...(isSearch ? fits.map(({ item }) => item) : this.#first));
    byId("found").hidden = isSearch || byId("found").childElementCount === 0;
    byId("recent").hidden = isSearch || byId("recent").childElementCount === 0;
    const reasons = missing(typed, this.#absent).map(({ names, reason }) => `${capital(names.join(", "))}: not here, because ${reason}.`);
    byId("matches").textContent = fits.length > 0 ? `${fits.length} ${fits.length === 1 ? "game" : "games"}` : "";
    show(byId("none"), reasons.join(" ") || (isSearch && fits.length === 0 && "No game matches."));
  }

  /** Shows the games that were opened last. Another server at the same address may have had others. */
  recent() {
    const isHere = (query) => query.has("rules") || this.#names.includes(query.get("game"));
    const recent = stored().filter(({ title, hash }) => typeof title === "string" && /^#[^<]*$/.test(hash) && isHere(new URLSearchParams(hash.slice(1))));
    show(byId("recent"), recent.length > 0 && [h("span", { class: "dim" }, "Opened last:"), ...recent.map(({ title, hash }) => h("a", { href: hash }, title))]);
  }
}
