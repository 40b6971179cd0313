// Reading what a person pastes: a link, a game as text, a position, or moves.
//
//   connect-four rows=4 cols=5: c1, d1, c2

import { about } from "./api.js";
import { gameOf, missing } from "./names.js";
import { capital } from "./values.js";

/** A game as text: its name, its options, its first position, and what follows the colon. A colon within a position is before a number. */
const GAME = /^([^:=]+?)((?:\s+[\w.-]+=[^\s:]+)*)(?:\s+from\s+([^]+?)(?=\s*(?::(?!\d)|$)))?\s*(?:(:)\s*([^]*))?$/;

/** A sentence about what was pasted, with what the server says about it. */
class Unread extends Error {
  constructor(message, details) {
    super(message);
    this.details = details;
  }
}

/** A list of moves as the page and books write it, `1. 3 (c4) 4 (d4)`, as the server reads it: `c4 d4`. */
const bare = (text) => text.replace(/(^|\s)\d+\.+(?=\s|\p{L})/gu, "$1").replace(/[^\s,()]+ \(([^()]+)\)/g, "$1").trim();

const listed = (moves) => bare(moves).split(",").map((move) => move.trim()).filter(Boolean);

/** The game that `text` is in `subject`: a position, or moves from the start. The server is asked for `sent`. */
async function begun(subject, text, title, sent = bare(text)) {
  try {
    const { line, position } = await about("scene", subject, sent);
    return line ? { subject, moves: line } : { subject, position };
  } catch (error) {
    if (error.status === 0) throw error;
    if (sent !== text) return begun(subject, text, title, text);
    throw new Unread(`\u201c${text.length > 40 ? `${text.slice(0, 40)}\u2026` : text}\u201d is no link, and neither a position nor moves of ${title}.`, error.message.replace(/^".*?" is not a position: /s, ""));
  }
}

/** Reads `text` as a link (its `hash`) or as a game (its `subject`, first `position` and `moves`). If the moves are not possible, the game
 * is what `otherwise()` reads. Positions and moves are those of the game `subject` called `title`, unless the text names another one of
 * `games`. `complete(subject)` adds a text that a game needs, such as a word list. */
export async function read(text, { subject, title, games, absent, complete }) {
  if (text === "") throw new Unread("Paste a link, a game, a position or moves first.");
  const hash = /#(?:game|rules|embed)=\S+/.exec(text)?.[0];
  if (hash) return { hash };
  const [, name, pairs, position, colon, rest = ""] = GAME.exec(text) ?? [];
  const game = name && gameOf(name, games);
  if (game) {
    const isList = (name) => game.options?.some((option) => option.name === name && option.sample !== undefined);
    const option = ([name, value]) => [name, isList(name) ? `${value.replaceAll(",", "\n").replaceAll("~", " ")}\n` : value];
    const options = Object.fromEntries(pairs.trim().split(/\s+/).filter(Boolean).map((pair) => option(pair.split(/=(.*)/s))));
    const other = complete({ game: game.name, options });
    // A list of moves may look like a position, such as 3,2,0.
    return { subject: other, position, moves: listed(rest), otherwise: position || rest === "" ? null : () => begun(other, rest, game.title) };
  }
  const absence = name ? missing(name, absent) : [];
  if (absence.length > 0) throw new Unread(`${capital(absence[0].names[0])} is not here: ${absence[0].reason}.`);
  return begun(subject, text, title).catch((error) => {
    throw colon && /^[\p{L}][\p{L}\s-]{2,}$/u.test(name) ? new Unread(`There is no game called \u201c${name}\u201d.`, error.details) : error;
  });
}
