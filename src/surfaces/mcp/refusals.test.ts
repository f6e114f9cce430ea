import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { objectAt } from '#core/event';
import type { TestClient } from '../../../test/support/mcp/client.ts';
import { Place } from '../../../test/support/mcp/place.ts';

let place: Place;

beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

/** A client of the older generation. */
async function open(options = {}): Promise<TestClient> {
  const { client } = place.connect(options);
  await client.initialize();
  return client;
}

describe('a daemon that does not answer', () => {
  test('is reported, with what to do', async () => {
    await place.withDaemon(() => new Promise(() => {}));
    const client = await open({ answerMs: 50 });
    const { isError, text } = await client.call('mem_search', { query: 'npm', start: true });
    expect(isError).toBe(true);
    expect(text).toContain(place.cwd);
    expect(text).toContain('memd restart');
  });

  test('that nobody ever started is not started by an assistant', async () => {
    const client = await open();
    const { isError, text } = await client.call('mem_search', { query: 'npm', start: true });
    expect([isError, text]).toEqual([true, expect.stringContaining('`memd setup`')]);
    expect(fs.readdirSync(place.folder)).toEqual(['project']);
  });

  test('that is stopped is offered to be started, and started when that is taken', async () => {
    place.begin();
    fs.writeFileSync(
      path.join(place.folder, 'fails.cjs'),
      'console.error("memd: config.json line 3: no JSON"); process.exit(1)',
    );
    const client = await open({ program: 'fails.cjs' });
    for (const [name, args] of [
      ['mem_search', { query: 'npm' }],
      ['mem_get', { ids: [1] }],
      ['mem_timeline', { id: 1 }],
      ['mem_why', { id: 1 }],
    ] as const) {
      const { isError, text } = await client.call(name, args);
      expect(isError).toBe(true);
      expect(text).toContain('"start": true');
      expect(text).toContain('memd start');
    }
    const { text } = await client.call('mem_search', { query: 'npm', start: true });
    expect(text).toContain('config.json line 3: no JSON');
  });

  test('because the folder is not known is the answer of a tool; the server runs', async () => {
    place.env.MEMD_NS = '../up';
    const client = await open();
    const { isError, text } = await client.call('mem_search', { query: 'npm' });
    expect([isError, text]).toEqual([true, expect.stringContaining('MEMD_NS')]);
  });
});

describe('bad arguments', () => {
  test.each([
    ['mem_search', {}],
    ['mem_search', { query: 7 }],
    ['mem_search', { query: 'x', k: 0 }],
    ['mem_search', { query: 'x', k: 'five' }],
    ['mem_search', { query: 'x', session: 1 }],
    ['mem_search', null],
    ['mem_search', 'x'],
    ['mem_search', [1]],
    ['mem_get', { ids: [] }],
    ['mem_get', { ids: 1 }],
    ['mem_get', { ids: [1, 'x'] }],
    ['mem_get', { ids: Array.from({ length: 21 }, (_, at) => at + 1) }],
    ['mem_timeline', { id: -1 }],
    ['mem_timeline', { id: 1, window: 0.5 }],
    ['mem_why', { query: 'x' }],
    ['mem_why', { id: 1, query: {} }],
  ] as const)('of %s: %j are an error of the tool, in both generations', async (name, args) => {
    const client = await open();
    const { isError, text } = await client.call(name, args);
    expect(isError).toBe(true);
    expect(text).toContain(name);
    const answer = await place.connect().client.modern('tools/call', { name, arguments: args });
    expect(objectAt(answer, 'result')).toMatchObject({ isError: true, resultType: 'complete' });
  });

  test('a tool that is not there is an error of the protocol', async () => {
    const client = await open();
    expect(await client.request('tools/call', { name: 'mem_forget', arguments: {} })).toMatchObject({
      error: { code: -32602 },
    });
  });
});

test('stderr mentions a bad line without its content', async () => {
  const { client } = place.connect();
  client.raw('{"secret": "hush"\n');
  await client.other();
  expect(place.logged.length).toBeGreaterThan(0);
  expect(place.logged.join()).not.toContain('hush');
});

test('an argument that is missing is said to be, and one of a list needs no list', async () => {
  const client = await open();
  const missing = await client.call('mem_search', {});
  expect([missing.isError, missing.text]).toEqual([true, expect.stringContaining('query: must be given')]);
  for (const [name, args] of [
    ['mem_get', { ids: '#1' }],
    ['mem_remember', { text: 'x', files: 'src/a.ts' }],
  ] as const)
    expect((await client.call(name, args)).text).not.toContain('Invalid arguments');
});
