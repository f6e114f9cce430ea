import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { clientNames, sessionIn } from '#assistants/table';
import { type ClientName, noteTool, stringAt } from '#core/event';
import { Failure } from '#core/platform';
import { inForm } from '#core/rpc';
import type { DaemonLink } from '../daemon-link.ts';
import { replies } from '../shapes.ts';
import { tool } from '../tool.ts';

const liveMs = 60 * 60_000;
const sessionsMax = 20;

export const memRemember = tool({
  name: 'mem_remember',
  title: 'Remember a note',
  description:
    'Stores a note in the memory of this project, labelled as yours. Use it when the user asks you to remember something.',
  input: v.object({
    text: v.pipe(
      v.string('must be a text'),
      v.regex(/\S/, 'must not be empty'),
      v.description('In sentences that stand alone'),
    ),
    files: v.optional(v.pipe(v.array(v.string('must be paths')), v.description('Files that it is about'))),
  }),
  output: { stored: v.boolean() },
  isAdding: true,
  run: async ({ text, files = [] }, daemon, { client: name, session }) => {
    const client = knownName(name);
    const sessionId = session ?? (await liveSession(client, daemon));
    const said = { kind: 'message', role: 'assistant', tool: noteTool };
    const note = { ...said, text, files, client, sessionId };
    const reply = await daemon.askStarting({ op: 'capture', messageId: randomUUID(), ...note });
    if (stringAt(reply, 'id') === undefined)
      throw new Failure(
        'not_kept',
        `The note was not stored: ${stringAt(reply, 'ignored') ?? 'nothing is left of it'}`,
      );
    const hint = 'Stored. mem_search finds it in a moment.';
    return { structured: { stored: true }, lines: [], ids: [], hint };
  },
});

/**
 * The session of `client` that is at work: the one in whose process the server was started if it has the newest event, as a client may begin
 * another in the same process; else the only one. Empty if that is not certain.
 */
async function liveSession(client: ClientName, daemon: DaemonLink): Promise<string> {
  // Two that are not known need not be one.
  if (client === 'unknown') return '';
  const reply = await daemon.askStarting({ op: 'sessions', limit: sessionsMax });
  const [newest, ...others] = inForm(replies.sessions, reply).sessions.filter(
    (one) => one.client === client && !('device' in one) && Date.now() - Date.parse(one.lastTs) < liveMs,
  );
  const isCertain = others.length === 0 || newest?.sessionId === sessionIn(process.env, client);
  return (isCertain && newest?.sessionId) || '';
}

/** The assistant's name in memd, by how it names itself: `codex-mcp-client`. `claude-ai` is the desktop application. */
function knownName(client: string): ClientName {
  const words = client.toLowerCase().split(/[^a-z]+/);
  const known = clientNames.find((name) => words.includes(name.split('-')[0] ?? name));
  return client === 'claude-ai' || known === undefined || known === 'generic' ? 'unknown' : known;
}
