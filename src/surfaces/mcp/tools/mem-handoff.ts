import * as v from 'valibot';
import { inForm } from '#core/rpc';
import { harmless } from '#core/text';
import type { DaemonLink } from '../daemon-link.ts';
import { replies, textArgument } from '../shapes.ts';
import { tool } from '../tool.ts';

export const memHandoff = tool({
  name: 'mem_handoff',
  title: 'The evidence of a session',
  description:
    'Returns what is needed to go on with a session: its request, decisions, failures, next steps. ' +
    'Use it after a compaction, or to continue earlier work.',
  input: v.object({
    session: textArgument('Its id, or its start; default: the last one'),
  }),
  output: { sessionId: v.string(), lines: v.array(v.string()) },
  run: async ({ session = 'last' }, daemon) => {
    const { sessionId, lines, ids } = await handoffOf(session, daemon);
    return {
      structured: { sessionId: harmless(sessionId), lines },
      ...{ lines, ids },
      hint: 'Read whole memories with mem_get and their ids.',
    };
  },
});

/** The handoff of a session, its lines harmless. @throws Failure of the daemon */
export async function handoffOf(session: string, daemon: DaemonLink) {
  const found = inForm(replies.handoff, await daemon.ask({ op: 'handoff', session }));
  return { ...found, lines: found.lines.map(harmless) };
}
