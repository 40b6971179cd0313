// The address names the game, its options, the first position, the moves and the other side, so that a link opens the same game.
//
//   #game=tactics&rows=3&position=XX../..../....&moves=a2,b3
//   #game=hex&moves=b2&opponent=first&skill=beginner     the server moves first, like a beginner
//   #game=hex&position=.../.X./...&exercise=1            the exercise at its first level
//   #rules=…&rows=3          the text of a rules file, compressed
//   #embed=tactics&rows=3    the board and the moves alone, for a page that shows this one in a frame

const KEYS = ["game", "embed", "rules", "position", "moves", "opponent", "skill", "exercise"];
/** The words for the player for whom the server moves. */
const SEATS = ["first", "second"];

/** Returns whether the address asks for the board and the moves alone. */
export const isEmbedded = () => new URLSearchParams(location.hash.replace(/^#/, "")).has("embed");

async function through(stream, bytes) {
  const writer = stream.writable.getWriter();
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  return new Uint8Array(await new Response(stream.readable).arrayBuffer());
}

async function pack(text) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpack(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
}

/** The part of the address after `#`, of a game that begins with `position` and goes on with `moves`. The server moves for the player
 * `opponent` (0 or 1) as `skill` says, or for nobody. `exercise` is a level from 0. Slashes, braces and similar characters are not escaped, so that it stays readable. */
export async function write(subject, { position, moves, opponent, skill, exercise } = {}, embeds = isEmbedded()) {
  const query = new URLSearchParams();
  if (embeds) query.set("embed", subject.game ?? "rules");
  else if (subject.game) query.set("game", subject.game);
  if (!subject.game) query.set("rules", await pack(subject.rules));
  for (const [name, value] of Object.entries(subject.options ?? {})) query.set(name, value);
  if (position) query.set("position", position);
  if (moves?.length > 0) query.set("moves", moves.join(","));
  if (SEATS[opponent]) query.set("opponent", SEATS[opponent]);
  if (SEATS[opponent] && skill && skill !== "perfect") query.set("skill", skill);
  if (exercise !== undefined && !embeds) query.set("exercise", exercise + 1);
  return "#" + query.toString().replace(/%(2F|7B|7D|2C|3A|23)/gi, (code) => decodeURIComponent(code).replace("#", "%23"));
}

/** Reads what `write` writes: the subject and the game, or the problem with them; null if there is no subject. */
export async function read(hash) {
  const query = new URLSearchParams(hash.replace(/^#/, ""));
  const options = Object.fromEntries([...query].filter(([name]) => !KEYS.includes(name)));
  const seat = SEATS.indexOf(query.get("opponent"));
  const played = {
    position: query.get("position") ?? undefined,
    moves: query.get("moves")?.split(",").map((move) => move.trim()).filter(Boolean) ?? [],
    opponent: seat < 0 ? undefined : String(seat),
    skill: query.get("skill") ?? "perfect",
    exercise: /^[1-3]$/.test(query.get("exercise")) ? Number(query.get("exercise")) - 1 : undefined,
  };
  const game = query.get("game") ?? (query.has("rules") ? null : query.get("embed"));
  if (game) return { subject: { game, options }, ...played };
  if (!query.has("rules")) return null;
  try {
    return { subject: { rules: await unpack(query.get("rules")), options }, ...played };
  } catch {
    return { problem: new Error("the rules in this link are damaged; the link may have been cut off") };
  }
}
