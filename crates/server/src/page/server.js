// The games and tables that the server has.

import * as sizes from "./sizes.js";
import { session } from "./state.js";

export const server = {
  games: [],
  /** Well-known games that the server does not have. */
  absent: [],
  tables: [],
  /** The rules of a user that were sound last: their `text`, and what it says, `summary` and `rules` in words. */
  own: null,
};

/** Replaces a text that the game needs, and `subject` lacks, by its sample. */
export function complete(subject) {
  const options = { ...subject.options };
  for (const { name, sample } of server.games.find((game) => game.name === subject.game)?.options ?? []) {
    if (sample !== undefined && !(name in options)) options[name] = sample;
  }
  return { ...subject, options };
}

/** The title of a game. Its name, as the command line has it, is shown as code only. */
export const titleOf = (name) => server.games.find((game) => game.name === name)?.title ?? name;

/** The sizes of a game that are solved at once, beginning with the usual one. */
export function sizesOf(name) {
  const { small } = sizes.sizesOf(server.games.find((game) => game.name === name));
  return small.map(({ options, name: text }) => ({ text, subject: { game: name, options } }));
}

/** The title of the game that is shown, with its size. */
export function title() {
  const { subject, current } = session;
  const known = server.games.find((game) => game.name === subject.game);
  return known ? [known.title, sizes.sizeName(known.options ?? known.parameters ?? [], subject.options ?? {})].filter(Boolean).join(", ") : current.view.title;
}
