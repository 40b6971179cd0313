// The other side: the server moves for one of the players.

import { tellsBest } from "./values.js";

/** The time that it waits before a move, in milliseconds. */
const PAUSE = 450;

export class Opponent {
  /** The player for whom the server moves: "none", "0" or "1". */
  seat = "none";
  #session;
  #on;
  /** A timer for a move after the pause. */
  #pending = 0;
  /** The position for which the server looks for a move. */
  #asking = null;
  /** Varies the guesses of the server. */
  #seed = Math.floor(Math.random() * 1e6);

  /** Calls `on.make(move)` with a move, `on.attempt(action)` to show errors, and `on.skill()`. */
  constructor(session, on) {
    this.#session = session;
    this.#on = on;
  }

  /** Returns whether the server moves in entry `index`. */
  moves(index = this.#session.index) {
    return this.seat !== "none" && this.#session.mover(index) === Number(this.seat);
  }

  /** True if the server will move in the position that is shown. */
  get isThinking() {
    return this.#pending !== 0 || this.#asking === this.#session.current?.view.position;
  }

  /** Moves after a pause, if it is the server's turn. */
  answer() {
    const { current } = this.#session;
    if (!this.moves() || !current || current.over || this.#asking === current.view.position) return;
    clearTimeout(this.#pending);
    this.#pending = setTimeout(() => {
      this.#pending = 0;
      this.#reply();
    }, PAUSE);
  }

  /** Waits no longer for the end of a pause. */
  cancel() {
    clearTimeout(this.#pending);
    this.#pending = 0;
  }

  /** The move of a player of this skill: the best one if the values tell it, otherwise what the server finds within a second. None if
   * another position is shown by then. */
  async sought(skill) {
    const session = this.#session;
    const { moves, value, view } = session.current;
    if (skill === "perfect" && tellsBest(moves, value)) return moves[0];
    this.#asking = view.position;
    let found = null;
    await this.#on.attempt(async () => (found = await session.reply(skill, this.#seed + session.index)));
    this.#asking = null;
    if (session.current?.view.position !== view.position) return null;
    const move = session.current.moves.find((move) => move.position === found?.position);
    return move && { ...move, isGuess: !found.proved && skill === "perfect" };
  }

  /** Makes the move of the other side. */
  async #reply() {
    const move = await this.sought(this.#on.skill());
    if (move && this.moves()) await this.#on.make(move);
  }
}
