import { describe, expect, it } from 'vitest';
import { adapt } from '#capture/clients';
import { denial } from '#guard/writes';
import { type ClientPayload, clientPayloads } from '../../../test/support/client-payloads.ts';
import type { Assistant } from '../form/index.ts';
import { assistants } from './index.ts';

/** Messages whose events are installed, and of which there is no recording. */
const neverRecorded = new Set([
  'codex/SubagentStop',
  'codex/PostCompact',
  'qwen-code/SubagentStop',
  'qwen-code/PostCompact',
]);

/** The plugin of OpenCode and Kilo has its own names for what it calls our hooks with. */
const files: Readonly<Record<string, string>> = {
  'tool.execute.before': 'before',
  'tool.execute.after': 'after',
  said: 'chat.message',
};

function recorded({ name }: Assistant, event: string): readonly ClientPayload[] {
  const file = files[event] ?? event;
  return clientPayloads.filter((one) => one.folder === name && one.event === file);
}

const context = { receivedAt: '2026-05-04T03:02:02Z', cwd: '/elsewhere' };
const installed = assistants.flatMap((one) =>
  one.install === undefined ? [] : [{ ...one, install: one.install }],
);

describe.each(installed)('$name has the parts that its installed hooks need', (one) => {
  const { install, before, payload, recall, resume, transcripts, places } = one;
  const { events } = install;

  it('reads the hook before a call', () => {
    expect(before).toBeDefined();
    const payloads = recorded(one, events.before);
    expect(payloads.length).toBeGreaterThan(0);
    expect(payloads.filter((each) => before?.read(each.payload) == null).map(({ name }) => name)).toEqual([]);
    const denied = before && denial(before, 'no bread');
    expect(`${denied?.stdout}${denied?.stderr}`).toContain('no bread');
  });

  it.each(events.after)('reads calls: %s', (event) => {
    expect(payload).toBeDefined();
    const kinds = recorded(one, event).map(({ payload: sent }) =>
      adapt(sent, { ...context, client: one.name }),
    );
    expect(kinds.length).toBeGreaterThan(0);
    const read = kinds.filter((each) => each.kind === 'observation' || each.event === 'own-tool');
    expect(read).toEqual(kinds);
    const names = read.flatMap((each) => (each.kind === 'observation' ? [each.observation.client] : []));
    expect([...new Set(names)]).toEqual([one.name]);
  });

  it.each(events.said.filter((event) => !neverRecorded.has(`${one.name}/${event}`)))(
    'reads messages: %s',
    (event) => {
      const read = recorded(one, event).map(({ payload: sent }) =>
        adapt(sent, { ...context, client: one.name }),
      );
      expect(read.length).toBeGreaterThan(0);
      // Copilot CLI's `agentStop` says only that there is more to read.
      const isNotice = one.name === 'copilot-cli' && event === 'agentStop';
      expect(read.some((each) => each.kind === 'observation' && each.observation.message)).toBe(!isNotice);
    },
  );

  it('answers after a failed command where it has an event for that', () => {
    expect(recall !== undefined).toBe(events.recall.length > 0);
  });

  it('finds and reads its sessions, and reopens them', () => {
    expect({ transcripts: transcripts !== undefined, places: places !== undefined }).toEqual({
      transcripts: true,
      places: true,
    });
    // Cursor has no command for it.
    expect(resume !== undefined).toBe(one.name !== 'cursor');
    expect(resume?.('s1') ?? 's1').toContain('s1');
  });
});

it('each name and each alias stands once', () => {
  const names = assistants.flatMap(({ name, install }) => [name, ...(install?.aliases ?? [])]);
  expect(new Set(names).size).toBe(names.length);
});
