import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isObject, type JsonObject, parseJson } from '#core/event';
import { messageAt } from '../../../test/support/store/messages.ts';
import { eventAt, newStore, summarised, type TestStore } from '../../../test/support/store/store.ts';
import { Connection } from './connection.ts';
import { eraseFromCopy } from './repair/erase-copy.ts';
import { prunable } from './repair/prune.ts';
import { salvage } from './repair/salvage.ts';
import { scanTexts, scrubTexts } from './repair/scrub.ts';
import { openStore } from './store.ts';
import { importRows } from './sync/import-rows.ts';
import { payloadOf } from './tables/payload.ts';
import { isShrunkPayload, shrunkPayload } from './tables/retention-payload.ts';

let at: TestStore;
beforeEach(() => {
  at = newStore();
});
afterEach(() => at.remove());

const columns = 'SELECT id, kind, role, turn_id FROM events ORDER BY seq';
const resummarise = () => ({ text: 'a call', terms: '' });

function payload(json: string | null): JsonObject {
  const value = parseJson(json ?? '');
  if (!isObject(value)) throw new Error('not a payload');
  return value;
}

describe('retention', () => {
  const row = (text: string) => {
    const event = messageAt(1, text, { role: 'assistant', turnId: 't1', agentId: 'a1' });
    return { ...event, toolUseId: null, payloadJson: JSON.stringify(payloadOf(event)) };
  };

  test('keeps the beginning and the end of a long message, its fields, and all of a short one', () => {
    const left = shrunkPayload(
      row(`The cause is the cache. ${'and '.repeat(2_000)}So I reverted it.`),
      'age',
    );
    const { output, message } = payload(left);
    expect(output).toMatch(
      /^The cause is the cache\. and .*\n\[\.\.\. \d+ characters cut by memd .* \.\.\.\]\n/,
    );
    expect(output).toMatch(/and So I reverted it\.$/);
    expect(JSON.stringify(output).length).toBeLessThanOrEqual(2_010);
    expect(message).toEqual({ role: 'assistant', turnId: 't1', agentId: 'a1' });
    expect(isShrunkPayload(left ?? '')).toBe(true);
    expect(shrunkPayload({ ...row(''), payloadJson: left ?? '' }, 'again')).toBeNull();
    expect(shrunkPayload(row('word '.repeat(380)), 'age')).toBeNull();
  });

  test('splits no pair of surrogates', () => {
    for (const shift of ['', 'a', 'ab']) {
      const left = shrunkPayload(row(`${shift}${'😀'.repeat(4_000)}`), 'age') ?? '';
      expect(Buffer.from(left).toString()).toBe(left);
      expect(payload(left).output).not.toMatch(/\p{Surrogate}/u);
    }
  });

  test('leaves the summary of a shrunk message as it is when a message before it is forgotten', () => {
    const texts = ['first', `then ${'more '.repeat(1_000)}`];
    const said = texts.map((text, index) => messageAt(index, text, { turnId: `t${index}` }));
    const [first = 0, second = 0] = summarised(at.store, said, (index) => `The user said ${index}`);
    at.store.connection.exec("UPDATE summaries SET curated = 1, model = 'builtin'");
    expect(at.store.retention.shrink(null, null, 'age').shrunk).toBe(1);
    at.store.summaries.forget(first, resummarise);
    expect(at.store.summaries.get([second])[0]?.text).toBe('The user said 1');
    expect(at.store.connection.all(columns)).toMatchObject([
      { kind: 'message', role: 'user', turn_id: 't1' },
    ]);
  });
});

describe('salvage', () => {
  test('takes kind, role and turn from the payload when their columns are damaged', () => {
    const said = [
      messageAt(1, 'why is it slow?', { turnId: 't1' }),
      messageAt(2, 'the cache is cold', { role: 'assistant', turnId: 't1', messageId: 'm1' }),
    ];
    // A tool of this name is not a message.
    at.store.events.insert([...said, eventAt(3, { tool: 'Reply' })]);
    const before = at.store.connection.all(columns);
    at.store.connection.exec(
      "PRAGMA ignore_check_constraints = ON; UPDATE events SET kind = x'a5', role = 'nobody', turn_id = x'00'",
    );
    const copy = `${at.file}.salvaged`;
    expect(salvage(at.file, copy)).toMatchObject({ events: 3, unreadable: 0 });
    const salvaged = openStore(copy);
    expect(salvaged.connection.all(columns)).toEqual(before);
    expect(salvaged.stats.counts().events).toBe(3);
    salvaged.close();
  });
});

test('prune takes no message that was said again in another turn, or at another time', () => {
  const yes = (second: number, turnId: string | null) => messageAt(second, 'yes', { turnId });
  summarised(at.store, [yes(1, 't1'), yes(2, 't2'), yes(3, null), yes(4, null)], () => 'The user said: yes');
  expect(prunable(at.store.connection, Date.UTC(2030, 0))).toEqual([]);
  // Reported twice in one turn, with an id and without.
  summarised(at.store, [messageAt(5, 'yes', { turnId: 't1', messageId: 'm1' })], () => 'The user said: yes');
  expect(prunable(at.store.connection, Date.UTC(2030, 0))).toMatchObject([{ reason: 'duplicate' }]);
});

describe('a message of a client whose hook gives no id', () => {
  const hook = (second: number) => messageAt(second, 'go on', { client: 'copilot-cli' });
  const transcript = (second: number, messageId: string) =>
    messageAt(second, 'go on', { client: 'copilot-cli', messageId, turnId: messageId });
  const [one, two] = [hook(1), hook(60)];
  const [oneLater, twoLater] = [transcript(1.2, 'm1'), transcript(60.2, 'm2')];

  test.each([
    ['hook first', [one, two, oneLater, twoLater]],
    ['transcript first', [oneLater, twoLater, one, two]],
    ['each followed by its transcript', [one, oneLater, two, twoLater]],
  ])('is stored once, and equal words in two turns are two: %s', (_name, order) => {
    for (const event of [...order, ...order]) at.store.events.insert([event]);
    expect(at.store.connection.all('SELECT tool_use_id FROM events ORDER BY ts')).toEqual([
      { tool_use_id: 'm1' },
      { tool_use_id: 'm2' },
    ]);
    // Forgotten under one id, it is not stored under the other.
    const { seq } = at.store.connection.get('SELECT min(seq) AS seq FROM events') ?? {};
    summarised(at.store, []);
    at.store.connection.run(
      "INSERT INTO summaries (event_id, text, model, ts) SELECT id, 'said', 'm', ts FROM events WHERE seq = ?",
      Number(seq),
    );
    at.store.summaries.forget(1);
    expect(at.store.events.insert(order).inserted).toBe(0);
  });
});

describe('what versions before schema 5 kept in prompts', () => {
  const long = `grind the rye ${'and the wheat '.repeat(40)}`;
  const said = messageAt(1, long, { turnId: 't1' });
  const prompt = (id: string, text: string, sessionId = 's1') => ({ id, sessionId, ts: said.ts, text });
  const prompts = () => at.store.connection.all('SELECT id FROM prompts ORDER BY id').map(({ id }) => id);

  beforeEach(() => {
    // The old table has it cut, as the version before did.
    at.store.prompts.insertOne(prompt('pr_1', `${long.slice(0, 300)} [cut]`));
    at.store.prompts.insertOne(prompt('pr_2', 'bake it'));
    at.store.prompts.insertOne(prompt('pr_3', long, 's2'));
  });

  test('goes with the message, in copies too, stays forgotten, and the rest goes with the session', () => {
    const [first = 0, second = 0] = summarised(at.store, [said, eventAt(2)]);
    const copy = `${at.file}.schema-4.backup`;
    at.store.connection.exec(`VACUUM INTO '${copy}'`);
    const old = new Connection(copy, { readOnly: false });
    old.exec('DELETE FROM summaries; DELETE FROM events');
    old.close();
    const trace = { eventId: said.id, sessionId: 's1', payloadJson: JSON.stringify(payloadOf(said)) };
    expect(eraseFromCopy(copy, trace, resummarise)).toBe('erased');
    expect(fs.readFileSync(copy).includes('and the wheat and the wheat')).toBe(true);
    expect(eraseFromCopy(copy, { ...trace, sessionId: 's2' }, resummarise)).toBe('erased');
    expect(fs.readFileSync(copy).includes('and the wheat')).toBe(false);
    at.store.summaries.forget(first);
    expect(prompts()).toEqual(['pr_2', 'pr_3']);
    const again = [{ type: 'prompt', ...prompt('pr_1', long) } as const];
    const options = {
      lifts: 'never',
      withheld: new Set<string>(),
      originOf: () => null,
    };
    const taken = importRows(at.store.connection, again, options);
    expect(taken).toMatchObject({ prompts: 0, forgotten: 1 });
    at.store.summaries.forget(second);
    expect(prompts()).toEqual(['pr_3']);
  });
});

test('scrub reads the turn of a message, and a database without that column', () => {
  const secret = ['hunter2', 'swordfish'].join('-');
  const { store, file } = newStore();
  store.events.insert([messageAt(1, 'hello', { turnId: `turn ${secret}` })]);
  store.close();
  const clean = (text: string) => text.replaceAll(secret, 'gone');
  const redactRows: Parameters<typeof scrubTexts>[1] = (group) =>
    group.map(({ texts }) =>
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, clean(text)])),
    );
  scrubTexts(file, redactRows);
  expect(fs.readFileSync(file).includes(secret)).toBe(false);
  const old = new Connection(file, { readOnly: false });
  old.exec('DROP INDEX events_messages; ALTER TABLE events DROP COLUMN turn_id; PRAGMA user_version = 4');
  old.close();
  expect(scanTexts(file, (group) => group.map(() => null))).toBe(1);
  fs.rmSync(path.dirname(file), { recursive: true });
});
