// The state of a game on the page: the positions so far, the current one, and the known values.

import { about } from "./api.js";
import { plain } from "./names.js";
import { flip, isScored, numbers } from "./values.js";

/** The time that a board waits for its values, in milliseconds. */
const PATIENCE = 300;
const EMPTY = { outcome: "unknown", remoteness: null, numbers: [] };

/** What a reader calls a move of an answer: its name in the notation of the game, and the game's own name if it has other letters: `4 (d6)`. */
export const called = ({ move, notation = move }) => (plain(notation) === plain(move) ? notation : `${notation} (${move})`);

/** The data shown for a position: the scene, and the moves with their values, best first. */
function joined(view, probe, problem) {
  const onBoard = new Map(view.moves.map((move) => [move.position, move]));
  const valued = probe ? probe.moves.filter((move) => onBoard.has(move.position)) : view.moves.map((move) => ({ ...EMPTY, ...move }));
  const moves = valued.map((move) => {
    const { changes, handles, joint, again = false, gain = 0 } = onBoard.get(move.position);
    return { name: move.move, notation: move.notation, text: called(move), position: move.position, outcome: move.outcome, remoteness: move.remoteness, score: move.score, changes, handles, joint, again, gain };
  });
  const over = probe ? probe.over : moves.length === 0;
  const value = probe ? { outcome: probe.outcome, remoteness: probe.remoteness, score: probe.score, numbers: numbers(probe) } : EMPTY;
  return { view, probe, moves, over, value, problem };
}

/** The move that `text` names, in either case; a name may be one of several. */
function named(moves, text) {
  const wanted = text.toLowerCase();
  const names = ({ name, notation = name }) => [name.toLowerCase(), ...name.toLowerCase().split("/"), notation.toLowerCase()];
  return moves.find((move) => names(move)[0] === wanted) ?? moves.find((move) => names(move).includes(wanted));
}

export class Session extends EventTarget {
  /** The plies so far, and plies that were taken back or laid out in advance. The first entry has no move. `move` is the game's name of a
   * move, which links have, and `text` what a reader sees. */
  entries = [];
  index = 0;
  /** Lines of play that another move replaced, the last one first: the entry after which they begin, and their plies. */
  asides = [];
  subject = null;
  #known = new Map();
  /** The boards of positions whose values were not requested. */
  #seen = new Map();
  #turn = 0;
  /** The values of a position that are still computed. */
  #awaited = null;
  #asked = new AbortController();

  get current() {
    return this.#known.get(this.entries[this.index]?.position);
  }

  /** The board at entry `index`, if it is known. */
  view(index) {
    const position = this.entries[index]?.position;
    return this.#known.get(position)?.view ?? this.#seen.get(position);
  }

  /** The names of the two players, beginning with the player who moves first. */
  get players() {
    return this.entries[0]?.players ?? ["First", "Second"];
  }

  /** The text of entry `index` for links. Where positions do not say who is to move, it names the player, with the lead of the player who
   * begins. */
  textOf(index) {
    const { position, lead } = this.entries[index];
    const { names } = this.current.view;
    if (!names) return position;
    const board = lead === 0 ? position : position.slice(0, position.lastIndexOf(" "));
    const mover = this.players[this.mover(index)];
    return `${board} ${mover}${mover === names[0] ? lead : 0 - lead}`;
  }

  /** How entry `index` is reached: the first position, and the moves by their names. If these do not tell the moves apart, it is the
   * position alone. */
  course(index = this.index) {
    const moves = this.entries.slice(1, index + 1).map(({ move }) => move);
    // A comma within the name of a move would divide it.
    const isTold = (move, n) => !move.includes(",") && (this.view(n)?.moves.filter((other) => other.move === move).length ?? 1) === 1;
    return moves.every(isTold) ? { position: this.textOf(0), moves } : { position: this.textOf(index), moves: [] };
  }

  /** The player who moves in entry `index`, 0 or 1. */
  mover(index = this.index) {
    return this.entries[index]?.mover ?? 0;
  }

  /** The player to move after a ply, what the ply gained, and the lead and the value for that player. The value of `move` is for the
   * player who makes it, and so is `lead`. */
  #after(move, { mover, lead }) {
    const { again = false, gain = 0 } = move;
    const forNext = (number) => (again ? number : 0 - number);
    const outcome = again ? move.outcome : flip(move.outcome);
    const value = { outcome, remoteness: move.remoteness === null ? null : move.remoteness - 1, score: isScored(move) ? forNext(move.score - gain) : undefined };
    return { mover: again ? mover : 1 - mover, lead: forNext(lead + gain), gain, value };
  }

  async #load(position) {
    const known = this.#known.get(position);
    if (known && !known.isStale) return known;
    const { subject } = this;
    const signal = this.#asked.signal;
    // Values that nobody waits for any more would only occupy the server.
    this.#awaited?.stop();
    const stopping = new AbortController();
    const probing = this.#probe(position, AbortSignal.any([signal, stopping.signal]));
    const view = await about("scene", subject, position, signal);
    const keep = (loaded) => {
      if (subject === this.subject) this.#known.set(view.position, loaded);
      return loaded;
    };
    const soon = await Promise.race([probing, new Promise((done) => setTimeout(done, PATIENCE))]);
    if (soon) return keep(joined(view, soon.probe, soon.problem));
    // If solving takes long, the board appears before its values.
    const awaited = {
      stop: () => {
        stopping.abort();
        const board = this.#known.get(view.position);
        if (board) board.isStale = true;
      },
    };
    this.#awaited = awaited;
    probing.then(({ probe, problem }) => {
      if (this.#awaited === awaited) this.#awaited = null;
      if (subject !== this.subject || problem?.name === "AbortError") return;
      const { value } = keep(joined(view, probe, problem));
      for (const entry of this.entries) if (entry.position === view.position) entry.value = value;
      this.#changed({ arrived: true });
    });
    return keep({ ...joined(view, undefined, null), isAwaited: true });
  }

  /** Requests the values of a position. */
  async #probe(position, signal) {
    try {
      return { probe: await about("probe", this.subject, position, signal) };
    } catch (problem) {
      return { problem };
    }
  }

  /** The board and the moves of a position on the way to another one, and its values if they are `wanted`. */
  async #pass(position, wanted) {
    if (wanted) return this.#load(position);
    await this.#see(position);
    return { ...joined(this.#known.get(position)?.view ?? this.#seen.get(position)), isAwaited: true };
  }

  /** Loads the board of a position without its values. */
  async #see(position) {
    if (this.#known.has(position) || this.#seen.has(position)) return;
    const { subject } = this;
    const view = await about("scene", subject, position, this.#asked.signal);
    if (subject === this.subject) this.#seen.set(position, view);
  }

  #changed(detail) {
    this.dispatchEvent(new CustomEvent("change", { detail }));
  }

  /** Begins with a position of another subject, or its start, and makes moves by their names. The display changes once all of that has
   * loaded. Fails if a move is not possible. */
  async open(subject, position, moves = []) {
    const turn = ++this.#turn;
    this.#asked.abort();
    this.#asked = new AbortController();
    const before = { subject: this.subject, known: this.#known, seen: this.#seen };
    this.subject = subject;
    this.#known = new Map();
    this.#seen = new Map();
    try {
      let loaded = await this.#load(position);
      const entries = [{ position: loaded.view.position, move: null, mover: 0, players: loaded.view.players, lead: loaded.view.lead ?? 0, gain: 0, value: loaded.value }];
      for (const [n, text] of moves.entries()) {
        if (turn !== this.#turn) return false;
        const move = named(loaded.moves, text);
        if (!move) throw Object.assign(new Error(`move ${n + 1} is not possible there: ${text}`), { ply: n + 1 });
        // Values that take long are not waited for at every move.
        const isLast = n + 1 === moves.length;
        loaded = await this.#pass(move.position, isLast || !loaded.isAwaited);
        entries.push({ position: move.position, move: move.name, text: move.text, ...this.#after(move, entries[n]) });
        if (loaded.probe) entries[n + 1].value = loaded.value;
      }
      if (turn !== this.#turn) return false;
      this.entries = entries;
      this.index = entries.length - 1;
      this.asides = [];
      this.#changed({ opened: true });
      return true;
    } catch (error) {
      if (turn === this.#turn) ({ subject: this.subject, known: this.#known, seen: this.#seen } = before);
      throw error;
    }
  }

  /** Shows entry `index`. */
  async goTo(index, detail = {}) {
    if (index < 0 || index >= this.entries.length) return false;
    const turn = ++this.#turn;
    const entry = this.entries[index];
    // The boards before this entry are also needed, to draw the line of play and the last move.
    const passed = this.entries.slice(0, index).map(({ position }) => this.#see(position));
    const [loaded] = await Promise.all([this.#load(entry.position), ...passed]);
    if (turn !== this.#turn) return false;
    entry.value = loaded.value;
    this.index = index;
    this.#changed(detail);
    return true;
  }

  /** Makes `move` in the current position. If it was laid out already, the plies after it are kept. */
  async play(move) {
    const next = this.entries[this.index + 1];
    if (next?.position !== move.position) {
      if (next) this.#keep();
      this.entries.splice(this.index + 1, Infinity, { position: move.position, move: move.name, text: move.text, isGuess: move.isGuess, ...this.#after(move, this.entries[this.index]) });
    }
    return this.goTo(this.index + 1, { made: true });
  }

  /** A move of the server for the player to move: its position, and whether it is proved to be a best one. */
  async reply(skill, seed) {
    const { reply, proved } = await about("reply", this.subject, this.entries[this.index].position, this.#asked.signal, { skill, seed });
    return { position: reply?.position, proved };
  }

  /** Keeps the plies after the current one as a line to which the user can return. */
  #keep() {
    const plies = this.entries.slice(this.index + 1);
    this.asides = [{ after: this.index, plies }, ...this.asides].slice(0, 3);
  }

  /** Returns to a line that another move replaced, and keeps the current one instead. */
  async restore(aside) {
    this.asides = this.asides.filter((other) => other !== aside);
    this.index = aside.after;
    if (this.entries.length > aside.after + 1) this.#keep();
    this.entries.splice(aside.after + 1, Infinity, ...aside.plies);
    return this.goTo(aside.after + 1);
  }

  /** Appends best play from here to the end, so that the user can step through it. */
  async layOut() {
    const [turn, { position }] = [this.#turn, this.entries[this.index]];
    const line = await about("line", this.subject, position, this.#asked.signal);
    if (turn !== this.#turn) return;
    let before = this.entries[this.index];
    const plies = line.line.map((ply) => (before = { position: ply.position, move: ply.move, text: called(ply), ...this.#after(ply, before) }));
    this.entries.splice(this.index + 1, Infinity, ...plies);
    this.#changed({ laidOut: true });
  }

  /** The points of the two players at entry `index`, the player who moved first first: those of the lead at the beginning, of the moves,
   * and of the board. Null if the game counts nothing there. */
  points(index = this.index) {
    const view = this.view(index);
    const { lead } = this.entries[0];
    if (!view?.unit || !(view.shown_points || lead !== 0)) return null;
    const sign = view.aim === "fewest" ? -1 : 1;
    const points = [Math.max(sign * lead, 0), Math.max(-sign * lead, 0)];
    for (let at = 1; at <= index; at++) points[this.mover(at - 1)] += sign * this.entries[at].gain;
    view.shown_points?.forEach((shown, n) => (points[n === 0 ? this.mover(index) : 1 - this.mover(index)] += shown));
    return points;
  }

  /** The places that ply `index` changed, if both of its positions are known. */
  changesAt(index) {
    const [before, after] = [this.view(index - 1), this.view(index)];
    if (!before || !after) return [];
    return after.states.flatMap((state, place) => (state !== before.states[place] ? [place] : []));
  }

  /** The places of the handles of the move that was ply `index`. */
  handlesAt(index) {
    const move = this.view(index - 1)?.moves.find((move) => move.position === this.entries[index].position);
    return move?.handles.flat() ?? [];
  }
}
