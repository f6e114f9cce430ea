import { memoriesOf, type RecordedSession, recordedSessions, type Store, type Summary } from '#memory/store';

/** All memories as Markdown, one chapter for each session, oldest first. Lines without newlines. */
export function* markdownLines({ connection }: Pick<Store, 'connection'>, title: string): Generator<string> {
  const sessions = recordedSessions(connection);
  yield `# Memories of ${escaped(title)}`;
  if (sessions.length === 0) yield* ['', 'None yet.'];
  for (const session of sessions) {
    yield* ['', headingOf(session)];
    if (session.digest !== null) yield* ['', quoted(session.digest)];
    let day = '';
    for (const memory of memoriesOf(connection, session.sessionId)) {
      if (memory.ts.slice(0, 10) !== day) {
        day = memory.ts.slice(0, 10);
        yield* ['', `### ${day}`, ''];
      }
      yield itemOf(memory);
    }
  }
}

function headingOf({ sessionId, client, memories, author }: RecordedSession): string {
  const name = sessionId === '' ? 'Notes and calls without a session' : `Session ${escaped(sessionId)}`;
  // Those of one session are of one assistant.
  const by = sessionId === '' ? '' : `${escaped(client)}, `;
  const from = author === undefined ? '' : `, from ${escaped(author)}`;
  return `## ${name} (${by}${memories} ${memories === 1 ? 'memory' : 'memories'}${from})`;
}

function itemOf({ id, ts, tool, text, pinned, author }: Summary): string {
  const from = author === undefined ? '' : `, from ${escaped(author)}`;
  return `- ${ts.slice(11, 16)} **${escaped(tool)}** ${escaped(text)} (#${id}${pinned ? ', pinned' : ''}${from})`;
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${escaped(line)}`.trimEnd())
    .join('\n>\n');
}

/** Recorded text must not format, link or move a terminal's cursor. */
function escaped(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\\`*_[\]<>#|~]/g, '\\$&')
    .replace(/^([-+]|\d+(?=[.)]))/, '\\$1');
}
