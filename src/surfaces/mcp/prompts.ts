import type { McpServer } from '@modelcontextprotocol/server';
import * as v from 'valibot';
import { inForm } from '#core/rpc';
import { harmless, oneLine } from '#core/text';
import { askedWords, excerpts } from '#reading/talk';
import type { DaemonLink } from './daemon-link.ts';
import { recordText } from './record.ts';
import { entryLine, entryOf, replies, textArgument } from './shapes.ts';
import { mcpSchema } from './tool.ts';
import { handoffOf } from './tools/mem-handoff.ts';

const decisionsMax = 10;
const decisionCharsMax = 400;
const topicCharsMax = 400;

/** What a user asks for by a name: each gives the model a request of the user, and what memory has to it. */
export function addPrompts(server: McpServer, daemon: DaemonLink): void {
  server.registerPrompt(
    'handoff',
    {
      title: 'Go on with earlier work',
      description: 'What a session was for, what it decided, and what is left',
      argsSchema: mcpSchema(
        v.object({ session: textArgument('Its id or its start; default: the last one') }),
      ),
    },
    async ({ session = 'last' }) => {
      const { lines } = await handoffOf(session, daemon);
      return asked('Go on with this work.', record(lines));
    },
  );
  server.registerPrompt(
    'outline',
    { title: 'Where this project is', description: 'The last sessions, open work, and the checks that pass' },
    async () => {
      // In its frame already.
      const { text } = inForm(replies.outline, await daemon.ask({ op: 'outline', source: 'startup' }));
      return asked('This is where the project is.', text);
    },
  );
  server.registerPrompt(
    'decided',
    {
      title: 'What did we decide about ...',
      description: 'What was said about a topic in earlier sessions',
      argsSchema: mcpSchema(v.object({ about: v.pipe(v.string(), v.description('The topic')) })),
    },
    async ({ about }) => {
      const topic = oneLine(about, topicCharsMax);
      const question = `What did we decide about ${topic}, and why?`;
      const request = { op: 'search', query: question, kinds: ['message', 'session'], topK: decisionsMax };
      const { hits } = inForm(replies.search, await daemon.ask(request));
      const words = askedWords(topic);
      const lines = hits.map((hit) =>
        entryLine(entryOf(hit, excerpts(harmless(hit.passage ?? hit.text), words)(decisionCharsMax))),
      );
      return asked(`${question} Answer from these memories, with their numbers.`, record(lines));
    },
  );
}

function record(lines: readonly string[]): string {
  return lines.length === 0 ? '' : recordText(lines, 'Read whole memories with mem_get and their ids.');
}

function asked(request: string, found: string) {
  const text = `${request}\n\n${found || 'The memory of this project has nothing of it.'}`;
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}
