// The exercise: positions in which exactly one move keeps the win or the draw.

import { about } from "./api.js";
import { h, show } from "./dom.js";
import { called } from "./session.js";
import { inMoves } from "./values.js";

/** Where the browser keeps the count until the window is closed. */
const KEY = "tablegen-exercise";

/** The levels: their names, and the fewest and the most moves to the end. */
const LEVELS = [
  ["Level 1: the end is near", 1, 3],
  ["Level 2: a few moves ahead", 4, 7],
  ["Level 3: far ahead", 8, Infinity],
];
/** The number of positions, and the time in milliseconds after the first answer, after which the exercise takes the nearest level or gives up. */
const MOST = 80;
const TIME = 5000;

const KEEPS = { win: ["wins", "win"], draw: ["holds the draw", "hold the draw"] };

/** The moves that keep the win or the draw in an answer. */
const keeping = ({ outcome, moves }) => (KEEPS[outcome] ? moves.filter((move) => move.outcome === outcome) : []);

/** The only move that keeps the outcome in an answer, or null. */
export function onlyMove(answer) {
  const { over, moves } = answer;
  if (over || moves.length < 2 || moves.some(({ outcome }) => outcome === "unknown")) return null;
  const kept = keeping(answer);
  return kept.length === 1 ? kept[0] : null;
}

/** Why an answer has no only move, in words. */
function noTask(answer) {
  const number = keeping(answer).length;
  if (answer.over) return "The game is over here";
  if (answer.moves.length === 1) return "There is only one move here";
  if (answer.outcome === "loss") return "Every move loses here";
  return number > 1 ? `${number} moves ${KEEPS[answer.outcome][1]} here` : "Not all moves have known values here";
}

/** The distance of a number of moves to the end from a level. */
function away(number, level) {
  const [, least, most] = LEVELS[level];
  return number < least ? least - number : Math.max(0, number - most);
}

/** Plays moves at random from the start of `subject`, and returns the position with an only move that is nearest to the level and is not
 * in `seen`, or null; and whether the value of a position was known. Where the number of moves to the end is not known, it is that of the
 * moves at random. */
async function search(subject, level, seen) {
  let [best, answer, isKnown, signal, ply] = [null, null, false, undefined, 0];
  /** The positions on this way to the end of play, each with its ply, whose number of moves is not known yet. */
  let waiting = [];
  const settle = (one, number) => {
    const far = away(number, level);
    if (!best || far < best.far) best = { ...one, far };
  };
  try {
    for (let looked = 0; looked < MOST && best?.far !== 0; looked++) {
      answer = await about("probe", subject, answer?.next, signal);
      // The first answer may need a solve, which has a limit of its own.
      signal ??= AbortSignal.timeout(TIME);
      isKnown ||= answer.outcome !== "unknown";
      const only = onlyMove(answer);
      if (only && !seen.has(answer.position)) {
        if (typeof answer.remoteness === "number") settle({ answer, only }, answer.remoteness);
        else waiting.push({ answer, only, ply });
      }
      const others = answer.moves.filter((move) => move.remoteness !== 1 && move.position !== answer.position);
      const next = others[Math.floor(Math.random() * others.length)];
      ply++;
      if (next) answer = { next: next.position };
      else {
        // At the end of play another game begins.
        waiting.forEach((one) => settle(one, ply - 1 - one.ply));
        [answer, waiting, ply] = [null, [], 0];
      }
    }
  } catch (error) {
    // A server whose time is over knows no value either.
    if (!signal?.aborted && error.status !== 503) throw error;
  }
  if (!best) waiting.forEach((one) => settle(one, ply - one.ply));
  return { best, isKnown };
}

export class Exercise {
  #root;
  #on;
  #level = 0;
  /** The position of the last task, also after it was solved: an address names it. */
  position = null;
  /** The number of positions of a game that were tried, how many of them were found at the first try, and the last one. */
  #count = { game: null, tried: 0, right: 0, last: null };
  #task = null;
  #seen = new Set();
  /** The number of searches, and of exercises that were ended. A search that is not the last of them shows nothing. */
  #turn = 0;

  /** Calls `on.open(subject, position, isCorrection)` for a position to show, `on.change(subject)` for another size, `on.say(text)` with what a screen
   * reader says, `on.begin()` before and `on.end()` after the exercise, and `on.close()` if the user ends it. `on.sizes(subject)` are sizes
   * whose values are known. */
  constructor(root, on) {
    this.#root = root;
    this.#on = on;
    try {
      this.#count = { ...this.#count, ...JSON.parse(sessionStorage.getItem(KEY)) };
    } catch {
      // Private windows may store nothing.
    }
  }

  /** The level, as a number from 0; undefined if no exercise is shown. */
  get level() {
    return this.#root.hidden ? undefined : this.#level;
  }

  /** Goes on at `position`, which an address names, or at the next position if it names none. */
  async resume(level, subject, position) {
    this.#level = level;
    if (!position) return this.next(subject, true);
    const turn = this.#forget();
    this.#countIn(subject);
    this.#draw();
    this.#on.begin();
    const answer = await about("probe", subject, position);
    const only = onlyMove(answer);
    if (turn !== this.#turn) return;
    if (only) this.#ask({ answer, only });
    else this.#tell(`${noTask(answer)}, so there is no task. Take the next position.`);
  }

  /** Ends the exercise: what it asks is not true of another position. */
  end() {
    if (this.#root.hidden) return;
    this.#forget();
    show(this.#root);
    this.#on.end();
  }

  /** Shows another position of `subject`. With `isCorrection`, it takes the place of the address. */
  async next(subject, isCorrection) {
    const turn = this.#forget();
    this.#countIn(subject);
    this.#draw(h("p", { class: "dim" }, "Looking for a position\u2026"));
    const { best, isKnown } = await search(subject, this.#level, this.#seen).catch((error) => {
      if (turn === this.#turn) this.#draw();
      throw error;
    });
    if (turn !== this.#turn) return;
    if (!best) return this.#draw(...this.#without(subject, isKnown));
    this.#seen.add(best.answer.position);
    this.#on.begin();
    await this.#on.open(subject, best.answer.position, isCorrection);
    if (turn === this.#turn) this.#ask(best);
  }

  /** Forgets the task, and returns the number of the search that begins. */
  #forget() {
    this.#task = null;
    this.position = null;
    return ++this.#turn;
  }

  /** Asks for the move `only` of the position of `answer`. */
  #ask({ answer, only }) {
    const { outcome, remoteness } = answer;
    const words = `Exactly one move ${KEEPS[outcome][0]}${outcome === "win" && remoteness ? `, in ${inMoves(remoteness)}` : ""}. Find it.`;
    this.#task = { answer, only, words };
    this.position = answer.position;
    this.#tell(words, h("p", { class: "dim" }, "With Hint, Best move or Show values it does not count as found."));
  }

  /** What is shown if no position was found. */
  #without(subject, isKnown) {
    if (isKnown) return [h("p", {}, "No position with an only move was found. Try again, or another size or game.")];
    const sizes = this.#on.sizes(subject);
    const button = ({ text, subject }) => h("button", { type: "button", onclick: () => this.#on.change(subject) }, text);
    return [h("p", {}, `The values of this game are not known at this size. ${sizes.length > 0 ? "Try a smaller one:" : "Try another game."}`), sizes.length > 0 && h("div", { class: "buttons", id: "smaller" }, sizes.map(button))];
  }

  /** Judges a move before it is made: whether it is the right answer, or null if nothing was asked. */
  judge(position, { position: after, text }) {
    const task = this.#task;
    if (!task || position !== task.answer.position) return null;
    const isRight = after === task.only.position;
    this.#note(isRight);
    if (isRight) this.#tell(`Right: ${text} is the only move.${task.only.remoteness > 1 ? " Play on, or take the next position." : ""}`);
    else this.#tell(`${text} is not the move. Try again.`, h("p", {}, task.words));
    if (isRight) this.#task = null;
    return isRight;
  }

  /** Notes that `help` was given in `position`: the hint, the values, or without `help` the move itself. */
  helped(position, help) {
    const task = this.#task;
    if (!task || position !== task.answer.position) return;
    this.#note(false);
    if (help) return this.#tell(`With the ${help}, this move does not count as found.`, h("p", {}, task.words));
    this.#tell(`The move is ${called(task.only)}. It does not count as found.`);
    this.#task = null;
  }

  /** Begins to count again if `subject` is another game, at any size. */
  #countIn({ game = null }) {
    if (game !== this.#count.game) this.#count = { game, tried: 0, right: 0, last: null };
  }

  /** Counts the first try of a position. */
  #note(isRight) {
    const { game, tried, right, last } = this.#count;
    const { position } = this.#task.answer;
    if (position === last) return;
    this.#count = { game, tried: tried + 1, right: right + (isRight ? 1 : 0), last: position };
    try {
      sessionStorage.setItem(KEY, JSON.stringify(this.#count));
    } catch {
      // Private windows may store nothing.
    }
  }

  /** Shows and says `text`, and shows `more` below it. */
  #tell(text, more) {
    this.#draw(h("p", { class: "task" }, text), more);
    this.#on.say(text);
  }

  #draw(...what) {
    const held = this.#root.querySelector(":focus-visible");
    const level = h("select", { "aria-label": "Level", onchange: (event) => { this.#level = Number(event.target.value); this.next(this.#on.subject()); } }, LEVELS.map(([name], n) => h("option", { value: n, selected: n === this.#level }, name)));
    const { tried, right } = this.#count;
    const count = tried > 0 && h("p", { class: "count" }, `${right} of ${tried} found at the first try`);
    show(this.#root, h("h2", {}, "Find the only move"), level, what, count, h("div", { class: "buttons" }, h("button", { type: "button", id: "next", onclick: () => this.next(this.#on.subject()) }, "Next position"), h("button", { type: "button", class: "quiet", onclick: () => { this.end(); this.#on.close(); } }, "End the exercise")));
    if (held) this.#root.querySelector(held.matches("select") ? "select" : "#next").focus();
  }
}
