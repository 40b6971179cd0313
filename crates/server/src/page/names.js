// The names of games, as people type them.

/** The letters and digits of a text in lower case, without accents. Names are compared by these alone. */
export const plain = (text) => text.toLowerCase().normalize("NFD").replace(/[^\p{L}\p{N}]/gu, "");

/** All names of a game: its name, its title and other names. */
const namesOf = ({ name, title, also = [] }) => [name, title, ...also];

/** The game of `games` with this name; undefined if there is none. */
export function gameOf(text, games) {
  const typed = plain(text);
  return typed === "" ? undefined : games.find((game) => namesOf(game).map(plain).includes(typed));
}

/** The games of `absent` that a text names, or whose name begins with it. */
export function missing(text, absent) {
  const typed = plain(text);
  return absent.filter(({ names }) => names.map(plain).some((name) => name === typed || (typed.length > 3 && name.startsWith(typed))));
}

const words = (text) => text.split(/[^\p{L}\p{N}\u2019']+/u).map(plain).filter(Boolean);

/** Everything that a search looks at: the names of a game as wholes and word by word, and other words about it. */
export function searchable(game) {
  const names = namesOf(game);
  const parameters = (game.options ?? game.parameters ?? []).flatMap(({ name, default: usual }) => [name, usual ?? ""]);
  const others = [game.kind ?? "", game.summary ?? "", ...parameters, ...(game.variants ?? []), game.rules ?? ""];
  return { whole: names.map(plain), named: names.flatMap(words), others: others.flatMap(words) };
}

/** The worst rank: only words about a game fit, and none of its names. */
export const ABOUT = 4;

/** How well a game fits a text, the best first: 0 if it is a name, 1 if a name begins with it, 2 if words of names begin with its words, 3 if
 * names contain them, 4 if other words about the game begin with them; null if it does not fit. */
export function fit({ whole, named, others }, text) {
  const [typed, parts] = [plain(text), words(text)];
  if (whole.includes(typed)) return 0;
  if (whole.some((name) => name.startsWith(typed))) return 1;
  const begins = (list) => (part) => list.some((word) => word.startsWith(part));
  if (parts.every(begins(named))) return 2;
  // Two letters are within many names.
  if (typed.length > 2 && parts.every((part) => whole.some((name) => name.includes(part)))) return 3;
  return typed.length > 2 && parts.every(begins([...named, ...others])) ? ABOUT : null;
}
