// 100,000 calls and messages over a year: real ones, each session repeated as often as needed, on another day and under another name.
import { DatabaseSync } from '@photostructure/sqlite';
import { sets } from '../search/sets.mjs';

const dayMs = 86_400_000;

/**
 * @param databases of memd, whose events are taken; none: the calls of `data`
 * @returns `month(at, of)`: its events, in the order of their time
 */
export function openYear(data, wanted, databases) {
  const real = databases.length > 0 ? [] : sets['code-memory'](data);
  const calls =
    databases.length > 0
      ? databases.flatMap(eventsIn)
      : (real ?? sets.questions(data)).flatMap((workspace) => workspace.calls);
  const sessions = bySession(calls);
  const until = Date.now() - 60_000;
  const repeated = [];
  for (let round = 0; repeated.length < wanted; round += 1) {
    for (const [at, session] of sessions.entries()) {
      const left = wanted - repeated.length;
      if (left === 0) break;
      // A day of its own in the year; always the same one.
      const day = ((at * 7_919 + round * 104_729) % 365_000) / 1_000;
      repeated.push(...shifted(session.slice(0, left), until - (365 - day) * dayMs, until, `r${round}`));
    }
  }
  repeated.sort((a, b) => (a.ts < b.ts ? -1 : 1));
  wrongClock(repeated);
  const year = {
    source: `${real === null ? 'made up (the questions that ship)' : 'real'}: ${calls.length} of ${sessions.length} sessions, repeated ${(wanted / calls.length).toFixed(1)} times over`,
    sent: 0,
    month: (at, of) => {
      const part = repeated.slice(
        Math.floor((at * repeated.length) / of),
        Math.floor(((at + 1) * repeated.length) / of),
      );
      year.sent += part.length;
      return part;
    },
  };
  return year;
}

/** A session as it went, from another time on; what would lie in the future is moved to the last moment. */
function shifted(session, from, until, name) {
  const first = Date.parse(session[0].ts);
  return session.map(
    ({ id, session: sessionId, ts, client, cwd, tool, isError, input, output, role, turn }, at) => ({
      op: 'capture',
      ...(role === undefined
        ? { tool, input, output, cwd, isError, toolUseId: `${id}-${name}-${at}` }
        : {
            kind: 'message',
            role,
            text: output,
            messageId: `${id}-${name}-${at}`,
            turnId: `${turn}-${name}`,
          }),
      client,
      sessionId: `${sessionId}-${name}`,
      ts: new Date(
        Math.min(until, from + Math.min(dayMs, Math.max(0, Date.parse(ts) - first))),
      ).toISOString(),
    }),
  );
}

/** One call in two thousand is of a clock that is ten years behind, and one of another a day ahead. */
function wrongClock(repeated) {
  for (let at = 0; at < repeated.length; at += 2_000) {
    repeated[at] = {
      ...repeated[at],
      ts: new Date(Date.parse(repeated[at].ts) - 3_650 * dayMs).toISOString(),
    };
    if (at + 1_000 < repeated.length) {
      const ahead = repeated[at + 1_000];
      repeated[at + 1_000] = { ...ahead, ts: new Date(Date.parse(ahead.ts) + dayMs).toISOString() };
    }
  }
}

function eventsIn(file) {
  const database = new DatabaseSync(file, { readOnly: true });
  const sql =
    'SELECT id, role, turn_id, payload_json FROM events WHERE payload_json IS NOT NULL ORDER BY ts, seq';
  const rows = database.prepare(sql).all();
  database.close();
  return rows.map(({ id, role, turn_id: turn, payload_json: payload }) => {
    const { sessionId: session, ...event } = JSON.parse(payload);
    return { ...event, id, session, ...(role !== null && { role, turn }) };
  });
}

function bySession(calls) {
  const sessions = new Map();
  for (const call of calls) sessions.set(call.session, [...(sessions.get(call.session) ?? []), call]);
  return [...sessions.values()];
}
