// The names of games, as people type them.

/** The letters and digits of a text in lower case. Names are compared by these alone. */
export const plain = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** All names of a game: its name, its title and other names. */
export const namesOf = ({ name, title, also = [] }) => [name, title, ...also].map(plain);

/** The game of `games` with this name; undefined if there is none. */
export function gameOf(text, games) {
  const typed = plain(text);
  return typed === "" ? undefined : games.find((game) => namesOf(game).includes(typed));
}

/** The games of `absent` that a text names, or whose name begins with it. */
export function missing(text, absent) {
  const typed = plain(text);
  return absent.filter(({ names }) => names.map(plain).some((name) => name === typed || (typed.length > 3 && name.startsWith(typed))));
}
