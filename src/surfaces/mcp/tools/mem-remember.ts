import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { clientNames } from '../../../assistants/table/index.ts';
import { noteTool, stringAt } from '../../../core/event/index.ts';
import { Failure } from '../../../core/platform/index.ts';
import { tool } from '../tool.ts';

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
  run: async ({ text, files = [] }, daemon, client) => {
    const note = {
      kind: 'message',
      role: 'assistant',
      tool: noteTool,
      text,
      files,
      client: knownName(client),
    };
    const reply = await daemon.askStarting({ op: 'capture', messageId: randomUUID(), ...note });
    if (stringAt(reply, 'id') === undefined)
      throw new Failure(
        'not_kept',
        `The note was not stored: ${stringAt(reply, 'ignored') ?? 'nothing is left of it'}`,
      );
    return {
      structured: { stored: true },
      lines: [],
      ids: [],
      hint: 'Stored. mem_search finds it in a moment.',
    };
  },
});

/** The assistant's name in memd, by how it names itself: `codex-mcp-client`. */
function knownName(client: string): string {
  const words = client.toLowerCase();
  const known = clientNames.find((name) => name !== 'generic' && words.includes(name.split('-')[0] ?? name));
  return known ?? 'unknown';
}
