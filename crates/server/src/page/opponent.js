// The other side: the server moves for one of the players.

/** The time that it waits before a move, in milliseconds. */
const PAUSE = 450;
/** The number of times that a busy server is asked for a move. */
const TRIES = 10;

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

  /** Makes the best move if it is known, otherwise what the server finds within a second. */
  async #reply() {
    const session = this.#session;
    const { moves, value, view } = session.current;
    const isPerfect = this.#on.skill() === "perfect";
    if (isPerfect && value.outcome !== "unknown" && moves[0].outcome !== "unknown") return this.#on.make(moves[0]);
    this.#asking = view.position;
    let found = null;
    for (let tries = 0; !found && tries < TRIES; tries++) {
      const error = await this.#on.attempt(async () => (found = await session.reply(this.#on.skill(), this.#seed + session.index)));
      if (error && error.status !== 503) break;
      if (error) await new Promise((done) => setTimeout(done, PAUSE));
    }
    this.#asking = null;
    const move = session.current?.moves.find((move) => move.position === found?.position);
    if (move && this.moves() && session.current.view.position === view.position) await this.#on.make({ ...move, isGuess: !found.proved && isPerfect });
  }
}
