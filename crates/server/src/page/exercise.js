// The exercise: positions in which exactly one move keeps the win or the draw.

import { about } from "./api.js";
import { h, show } from "./dom.js";
import { capital, inMoves } from "./values.js";

/** The levels: their names, and the fewest and the most moves to the end. */
const LEVELS = [
  ["Level 1: the end is near", 1, 3],
  ["Level 2: a few moves ahead", 4, 7],
  ["Level 3: far ahead", 8, Infinity],
];
/** The number of positions that are looked at before the exercise takes the nearest level. */
const MOST = 80;

/** The only move that keeps the outcome in an answer, or null. */
export function onlyMove({ outcome, over, moves }) {
  if (over || moves.length < 2 || !["win", "draw"].includes(outcome)) return null;
  const keeping = moves.filter((move) => move.outcome === outcome);
  return keeping.length === 1 && moves.every((move) => move.outcome !== "unknown") ? keeping[0] : null;
}

/** The distance of an answer from a level. */
function away({ remoteness }, level) {
  const [, least, most] = LEVELS[level];
  const number = remoteness ?? least;
  return number < least ? least - number : Math.max(0, number - most);
}

export class Exercise {
  #root;
  #on;
  #level = 0;
  #right = 0;
  #tried = 0;
  #task = null;
  #seen = new Set();

  /** Calls `on.open(position)` for a position to show, and `on.close()`. */
  constructor(root, on) {
    this.#root = root;
    this.#on = on;
  }

  /** Plays moves at random from the start of `subject`, and shows the position with an only move that is nearest to the level. */
  async next(subject) {
    this.#task = null;
    this.#draw(h("p", { class: "dim" }, "Looking for a position…"));
    let [best, answer] = [null, null];
    for (let looked = 0; looked < MOST && !(best && away(best.answer, this.#level) === 0); looked++) {
      answer = await about("probe", subject, answer?.next);
      const only = onlyMove(answer);
      if (only && !this.#seen.has(answer.position) && (!best || away(answer, this.#level) < away(best.answer, this.#level))) best = { answer, only };
      const others = answer.moves.filter((move) => move.remoteness !== 1 && move.position !== answer.position);
      const next = others[Math.floor(Math.random() * others.length)];
      // At the end of play another game begins.
      answer = next ? { next: next.position } : null;
    }
    if (!best) return this.#draw(h("p", {}, "No position with an only move was found. Try another game or a larger board."));
    this.#seen.add(best.answer.position);
    this.#task = { subject, ...best, isTried: false };
    await this.#on.open(subject, best.answer.position);
    const { outcome, remoteness } = best.answer;
    this.#draw(h("p", { class: "task" }, `Exactly one move ${outcome === "win" ? "wins" : "holds the draw"}${outcome === "win" && remoteness ? `, in ${inMoves(remoteness)}` : ""}. Find it.`));
  }

  /** Judges the move from `before` to `after`, if `before` is the position of the task. */
  judge(before, after, text, players) {
    const task = this.#task;
    if (!task || before !== task.answer.position) return;
    const isRight = after === task.only.position;
    if (!task.isTried) {
      this.#tried++;
      this.#right += isRight ? 1 : 0;
    }
    task.isTried = true;
    this.#draw(h("p", { class: "task", role: "status" }, isRight ? `Right: ${text} is the only move. Play on, or take the next position.` : `${text} is not the move. Undo it and try again${players ? `, ${capital(players)}` : ""}.`));
  }

  #draw(...what) {
    const level = h("select", { "aria-label": "Level", onchange: (event) => { this.#level = Number(event.target.value); this.next(this.#on.subject()); } }, LEVELS.map(([name], n) => h("option", { value: n, selected: n === this.#level }, name)));
    const count = h("p", { class: "count" }, `${this.#right} of ${this.#tried} found at the first try`);
    show(this.#root, h("h2", {}, "Find the only move"), level, what, count, h("div", { class: "buttons" }, h("button", { type: "button", id: "next", onclick: () => this.next(this.#on.subject()) }, "Next position"), h("button", { type: "button", class: "quiet", onclick: () => { this.#task = null; show(this.#root); this.#on.close(); } }, "End the exercise")));
  }
}
