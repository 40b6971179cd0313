// Reads each game of the server back from its text: at the start, after moves, and from a position that was set up. Returns what differs,
// one game in a line.

async () => {
  const load = (...names) => Promise.all(names.map((name) => import(`/${name}.js`)));
  const [{ Session }, { written }, { read }, api, { server, complete }] = await load("session", "sharing", "pasted", "api", "server");
  const { games } = await api.games();
  server.games = games;
  // Values are not needed, and take long.
  const { fetch } = window;
  window.fetch = (path, request) => (/\/(probe|solve)\?/.test(path) ? Promise.resolve(new Response("{}", { status: 400 })) : fetch(path, request));
  /** The text of the game that `session` shows. */
  const textOf = (session, isFromStart) => {
    const { position, moves } = session.course();
    return written(session.subject, { position: isFromStart && position === session.textOf(0) ? null : position, moves });
  };
  /** The position, and the number of moves, to which `text` leads. */
  const ending = async (text) => {
    const session = new Session();
    const { subject, position, moves } = await read(text.trim(), { subject: { game: "tactics", options: {} }, title: "Tactics", games, absent: [], complete });
    await session.open(subject, position, moves);
    return `${session.subject.game} ${session.textOf(session.index)} ${session.course().moves.length}`;
  };
  const wrong = [];
  for (const { name, variants = [] } of games) {
    const options = Object.fromEntries((variants[0] ?? "").split(",").filter(Boolean).map((pair) => pair.split("=")));
    const subject = complete({ game: name, options });
    const session = new Session();
    const compare = async (isFromStart) => {
      const text = textOf(session, isFromStart);
      const expected = `${name} ${session.textOf(session.index)} ${session.course().moves.length}`;
      const found = await ending(text).catch((error) => `${error.message} ${error.details ?? ""}`);
      if (found !== expected) wrong.push(`${text} is ${found}, expected ${expected}`);
    };
    await session.open(subject);
    await compare(true);
    for (let ply = 0; ply < 3 && !session.current.over; ply++) await session.play(session.current.moves.at(-1));
    await compare(true);
    await session.open(subject, session.textOf(session.index));
    await compare(false);
    if (!session.current.over) await session.play(session.current.moves[0]);
    await compare(false);
  }
  return wrong.join("\n");
}
