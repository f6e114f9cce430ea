import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { Failure, nullIfFailure } from '#core/platform';
import { inForm, shortSession, whatWords } from '#core/rpc';
import { oneLine } from '#core/text';
import type { DaemonLink } from './daemon-link.ts';
import { recordText } from './record.ts';
import { gist, replies } from './shapes.ts';
import { wholeLines } from './tools/mem-get.ts';
import { handoffOf } from './tools/mem-handoff.ts';

const listedMax = 20;
const titleCharsMax = 100;
const plain = { mimeType: 'text/plain' };

/** Memories and sessions that a user can name in a request, as `memd://memory/43`. The newest are listed. */
export function addResources(server: McpServer, daemon: DaemonLink): void {
  const sessions = listed(async () => {
    const reply = await daemon.ask({ op: 'sessions', limit: listedMax });
    return inForm(replies.sessions, reply).sessions.flatMap(({ sessionId, title, lastTs }) => {
      const name = oneLine(shortSession(sessionId), titleCharsMax);
      const shown = {
        title: oneLine(title, titleCharsMax) || `Session ${name}`,
        description: lastTs.slice(0, 10),
      };
      return name === '' ? [] : [{ uri: `memd://session/${encodeURIComponent(name)}`, name, ...shown }];
    });
  });
  const memories = listed(async () => {
    const reply = await daemon.ask({ op: 'recent', limit: listedMax });
    return inForm(replies.recent, reply).summaries.map((one) => ({
      ...{ uri: `memd://memory/${one.id}`, name: `#${one.id}` },
      title: oneLine(gist(one.text), titleCharsMax),
      description: `${one.ts.slice(0, 10)} ${oneLine(whatWords(one), titleCharsMax)}`,
    }));
  });
  server.registerResource(
    'session',
    new ResourceTemplate('memd://session/{id}', { list: sessions }),
    {
      title: 'A session of this project',
      description: 'Its goal, decisions, outcome and what is left',
      ...plain,
    },
    async (uri, { id }) => {
      const { lines } = await handoffOf(decodeURIComponent(String(id)), daemon);
      return contents(uri, lines);
    },
  );
  server.registerResource(
    'memory',
    new ResourceTemplate('memd://memory/{id}', { list: memories }),
    { title: 'A memory of this project', description: 'A call with its output, or a message', ...plain },
    async (uri, { id }) => {
      const ids = /^#?\d{1,15}$/.test(String(id)) ? [Number(String(id).replace('#', ''))] : [];
      const [found] = inForm(replies.get, await daemon.ask({ op: 'get', ids })).summaries;
      if (found === undefined)
        throw new Failure('not_found', `there is no memory ${oneLine(String(id), titleCharsMax)}`);
      return contents(uri, wholeLines(found));
    },
  );
}

/** A memory that is away has nothing to list: clients ask for the list unasked, at each start. */
function listed<T extends { uri: string; name: string }>(read: () => Promise<T[]>) {
  return async () => ({ resources: (await read().catch(nullIfFailure)) ?? [] });
}

function contents(uri: URL, lines: readonly string[]) {
  return { contents: [{ uri: uri.href, ...plain, text: recordText(lines) }] };
}
