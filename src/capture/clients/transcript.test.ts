import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identify, type Json, type JsonObject, type Observation } from '#core/event';
import { transcriptLineBytesMax } from '#core/limits';
import { claudeHooks, codexHooks, copilotHooks, qwenHooks } from '../../../test/support/clients/hooks.ts';
import {
  claudeRecords,
  codexRecords,
  copilotRecords,
  geminiDocument,
  geminiRecords,
  qwenRecords,
} from '../../../test/support/clients/transcripts.ts';
import { adapt, readTranscript, type TranscriptReport } from './index.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-transcripts-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

interface Read {
  readonly observations: readonly Observation[];
  readonly messages: readonly Observation[];
  readonly unfinished: readonly Observation[];
  readonly malformed: readonly number[];
  readonly report: TranscriptReport;
}

async function read(content: string | Buffer, name = 'session.jsonl'): Promise<Read> {
  const file = path.join(folder, name);
  fs.writeFileSync(file, content);
  return readFile(file);
}

async function readFile(file: string): Promise<Read> {
  const observations: Observation[] = [];
  const messages: Observation[] = [];
  const unfinished: Observation[] = [];
  const malformed: number[] = [];
  const report = await readTranscript(file, (item) => {
    if (item.kind === 'observation' && item.observation.unfinished !== true)
      (item.observation.message ? messages : observations).push(item.observation);
    else if (item.kind === 'observation') unfinished.push(item.observation);
    else if (item.kind === 'malformed') malformed.push(item.line);
  });
  return { observations, messages, unfinished, malformed, report };
}

const lines = (records: readonly Json[]): string =>
  `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;

function live(payload: Json): Observation {
  const adapted = adapt(payload, { receivedAt: '2026-05-04T03:02:02Z', cwd: null });
  if (adapted.kind === 'ignored') throw new Error(adapted.reason);
  return adapted.observation;
}

describe('a call captured live and read from the transcript is one event, equal but for its time', () => {
  it.each<[string, readonly Json[], readonly Json[]]>([
    ['claude-code', claudeRecords, Object.values(claudeHooks)],
    ['codex', codexRecords, Object.values(codexHooks)],
    ['qwen-code', qwenRecords, Object.values(qwenHooks)],
  ])('%s', async (client, records, hooks) => {
    const { observations, messages, unfinished, report } = await read(lines(records));
    const count = hooks.length + messages.length + unfinished.length;
    expect(report).toMatchObject({ client, malformed: 0, failure: null, observations: count });
    const expected = hooks.map((hook) => live(hook));
    expect(observations.map((one) => identify(one).id)).toEqual(expected.map((one) => identify(one).id));
    const timeless = (one: Observation): Observation => ({ ...one, ts: '' });
    expect(observations.map(timeless)).toEqual(expected.map(timeless));
  });

  it('copilot-cli, whose hook has no call id: equal but for that', async () => {
    const { observations } = await read(lines(copilotRecords));
    const [bash, view] = observations;
    const hook = live(copilotHooks.bashFailed);
    expect(hook.toolUseId).toBeNull();
    expect(bash).toEqual({ ...hook, toolUseId: 'call_g1', ts: bash?.ts });
    expect(view).toMatchObject({ toolUseId: 'call_g2', isError: true, output: 'Path does not exist' });
  });
});

it('counts calls without a result, gives them as unfinished, and leaves out the memory’s own', async () => {
  const { report, unfinished } = await read(lines(claudeRecords));
  expect(report).toMatchObject({ unanswered: 1, ignored: 1 });
  expect(unfinished).toMatchObject([{ output: '', isError: false, unfinished: true }]);
});

const orphans: readonly (readonly [string, readonly JsonObject[]])[] = [
  [
    'claude-code',
    [
      {
        ...{ type: 'user', sessionId: 's1' },
        message: { content: [{ type: 'tool_result', tool_use_id: 't9', content: 'x' }] },
      },
    ],
  ],
  [
    'codex',
    [
      { type: 'session_meta', payload: { id: 's1' } },
      { type: 'response_item', payload: { type: 'function_call_output', call_id: 't9', output: 'x' } },
    ],
  ],
  [
    'qwen-code',
    [
      {
        ...{ type: 'tool_result', sessionId: 's1' },
        message: { parts: [{ functionResponse: { id: 't9', response: { output: 'x' } } }] },
      },
    ],
  ],
  [
    'copilot-cli',
    [
      { type: 'session.start', data: { sessionId: 's1' } },
      { type: 'tool.execution_complete', data: { toolCallId: 't9', success: true } },
    ],
  ],
  [
    'pi',
    [
      { type: 'session', version: 3, id: 's1', cwd: '/mill' },
      { type: 'message', id: 'a1', message: { role: 'toolResult', toolCallId: 't9', content: [] } },
    ],
  ],
  [
    'cline',
    [
      {
        ...{ agent: 'lead', origin: {} },
        messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't9' }] }],
      },
    ],
  ],
  [
    'cursor',
    [{ role: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't9', content: 'x' }] } }],
  ],
];

it.each(orphans)('%s: counts a result without its call', async (client, records) => {
  const { report } = await read(lines(records));
  expect(report).toMatchObject({ client, withoutCall: 1, observations: 0, unanswered: 0 });
});

describe('a call that never ran', () => {
  const [, , use = {}] = claudeRecords;
  const denied = (said: string, mark: JsonObject) => ({
    type: 'user',
    sessionId: claudeHooks.bash.session_id,
    message: { content: [{ type: 'tool_result', tool_use_id: 'toolu_a1', content: said, is_error: true }] },
    ...mark,
  });
  const rejected = "The user doesn't want to proceed with this tool use. The tool use was rejected";

  it.each([
    [rejected, {}],
    [rejected, { toolDenialKind: 'user-rejected' }],
    ['Permission for this action was denied', { toolDenialKind: 'automode-blocked' }],
  ])('is stored as refused, not as failed: %s %o', async (said, mark) => {
    const { observations, report } = await read(lines([use, denied(said, mark)]));
    expect(observations).toMatchObject([
      { toolUseId: 'toolu_a1', output: said, isError: false, refused: true },
    ]);
    expect(report).toMatchObject({ unanswered: 0 });
  });

  it.each(['permission-rule', 'interrupted', 'hook'])('is counted only: %s', async (toolDenialKind) => {
    const { observations, report } = await read(lines([use, denied('no', { toolDenialKind })]));
    expect(observations).toEqual([]);
    expect(report).toMatchObject({ unanswered: 1 });
  });
});

it('reads Gemini’s records once though they are written again, and its older document alike', async () => {
  const records = await read(lines(geminiRecords));
  expect(records.observations.map((one) => [one.tool, one.toolUseId, one.isError])).toEqual([
    ['replace', 'replace_1', false],
    ['read_file', 'read_1', true],
  ]);
  expect(records.report).toMatchObject({ client: 'gemini-cli', unanswered: 0 });
  for (const [indent, name] of [
    [2, 'a.json'],
    [0, 'b.json'],
    [2, 'c.jsonl'],
  ] as const) {
    const document = await read(JSON.stringify(geminiDocument, null, indent), name);
    expect(document.observations).toEqual(records.observations);
    expect(document.messages).toEqual(records.messages);
    expect(document.malformed).toEqual([]);
  }
});

describe('a damaged file', () => {
  it('loses its bad lines only, reported by their numbers', async () => {
    const [first = {}, ...rest] = claudeRecords;
    const glued = JSON.stringify(first) + JSON.stringify(first);
    const text = `\uFEFF${JSON.stringify(first)}\n\n${glued}\n{"cut":\n42\n\0\0\n${lines(rest).replaceAll('\n', '\r\n')}`;
    const { observations, malformed } = await read(text);
    expect(malformed).toEqual([3, 4, 5, 6]);
    expect(observations).toHaveLength(4);
  });

  it('that is a broken document counts each of its lines', async () => {
    const text = JSON.stringify(geminiDocument, null, 2).slice(0, -40);
    const { observations, malformed } = await read(text, 'a.json');
    expect(observations).toEqual([]);
    expect(malformed.length).toBe(text.split('\n').length);
  });

  it('skips a line that is longer than the limit', async () => {
    const { observations, malformed, report } = await read(
      `${'x'.repeat(transcriptLineBytesMax + 1)}\n${lines(claudeRecords)}`,
    );
    expect([malformed, report.tooLong]).toEqual([[], 1]);
    expect(observations).toHaveLength(4);
  });

  it('takes a last line without its newline, and passes over a half-written one', async () => {
    const text = lines(claudeRecords);
    expect((await read(text.trimEnd())).malformed).toEqual([]);
    expect((await read(text.slice(0, -20))).malformed).toEqual([claudeRecords.length]);
  });
});

describe('a file that cannot be read', () => {
  it('packed: is read up to where it breaks, and the failure names it', async () => {
    const whole = gzipSync(lines(claudeRecords));
    expect((await read(whole, 'a.jsonl.gz')).observations).toHaveLength(4);
    const broken = await read(whole.subarray(0, whole.length - 9), 'b.jsonl.gz');
    expect(broken.report.failure?.code).toBe('transcript_unreadable');
    expect(broken.report.failure?.message).toContain('b.jsonl.gz');
    expect((await read('no gzip', 'c.jsonl.gz')).report.failure).not.toBeNull();
  });

  it('missing or a folder: is a failure, not a throw', async () => {
    for (const file of [path.join(folder, 'gone.jsonl'), folder]) {
      const { report } = await readFile(file);
      expect(report.failure?.message).toContain(file);
    }
  });

  it.skipIf(process.getuid?.() === 0)('closed to us: is a failure', async () => {
    const file = path.join(folder, 'closed.jsonl');
    fs.writeFileSync(file, lines(claudeRecords), { mode: 0o000 });
    expect((await readFile(file)).report.failure?.message).toContain(file);
  });

  it('does not take a fault of the receiver for one of the file', async () => {
    const file = path.join(folder, 'a.jsonl');
    fs.writeFileSync(file, lines(claudeRecords));
    const fault = readTranscript(file, () => Promise.reject(new Error('mine')));
    await expect(fault).rejects.toThrow('mine');
  });
});

it('knows nothing of files that are no transcript', async () => {
  const { observations, report } = await read('{"type":"note"}\n{"a":1}\n');
  expect(observations).toEqual([]);
  expect(report.client).toBeNull();
});
