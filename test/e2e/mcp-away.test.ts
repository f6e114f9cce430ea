import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { closeServers, connect } from '../support/mcp-server.ts';
import { lives } from '../support/processes.ts';

afterEach(async () => {
  await closeServers();
  await closeHomes();
});
afterAll(() => {
  expect(leftBehind()).toEqual([]);
});

describe('while the daemon is away', () => {
  test('a call says so and offers to start it; taken at its word, it starts and answers', async () => {
    const stopped = await Home.withRaw(1, { env: { MEMD_DRAIN_BACKEND: 'builtin' } });
    const { client, ended } = connect(stopped);
    await client.initialize();
    const offer = await client.call('mem_search', { query: 'part' });
    expect(offer).toMatchObject({ isError: true, text: expect.stringContaining('"start": true') });
    expect(offer.text).toContain('memd start');
    expect(stopped.daemons()).toEqual([]);
    const both = await Promise.all(
      [1, 2].map(() => client.call('mem_search', { query: 'part', start: true })),
    );
    expect(both.map(({ isError }) => isError)).toEqual([false, false]);
    await stopped.oneDaemon();
    const pid = stopped.pid();
    // It belongs to the workspace, not to this server.
    client.end();
    await ended;
    expect(lives(pid)).toBe(true);
  });

  test('there is nothing to name, which is no error: clients ask for the list at each start', async () => {
    const stopped = await Home.withRaw(1);
    const { client } = connect(stopped);
    await client.initialize();
    expect(await client.request('resources/list')).toMatchObject({ result: { resources: [] } });
    expect(stopped.daemons()).toEqual([]);
  });

  test('no memory is begun where nobody wanted one', async () => {
    const empty = Home.open({ config: null });
    const { client } = connect(empty);
    await client.initialize();
    const { isError, text } = await client.call('mem_search', { query: 'part', start: true });
    expect([isError, text]).toEqual([true, expect.stringContaining('memd setup')]);
    expect(empty.daemons()).toEqual([]);
  });

  test('and comes back, the same server answers again', async () => {
    const other = await Home.withRaw(1);
    const { client } = connect(other);
    await client.initialize();
    expect((await client.call('mem_search', { query: 'part' })).isError).toBe(true);
    await other.start();
    expect((await client.call('mem_search', { query: 'part' })).isError).toBe(false);
  });

  test('but hangs, a call ends by itself and says what to do', async () => {
    const hanging = await Home.withRaw(1);
    const pid = await hanging.start();
    const { client, ended } = connect(hanging);
    await client.initialize();
    process.kill(pid, 'SIGSTOP');
    try {
      const pending = client.call('mem_search', { query: 'part' });
      expect(await client.request('ping')).toMatchObject({ result: {} });
      expect(await pending).toMatchObject({ isError: true, text: expect.stringContaining('memd restart') });
      // Nor does a client that leaves meanwhile leave a server behind.
      void client.request('tools/call', { name: 'mem_search', arguments: { query: 'part' } });
      client.end();
      expect(await ended).toBe(0);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });
});
