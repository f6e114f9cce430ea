import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type Fault, type ModelServer, startModelServer } from '../model-server.ts';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { end } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { Wire } from '../support/wire.ts';

const servers: ModelServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  await closeHomes();
});
afterAll(() => expect(leftBehind()).toEqual([]));

async function brokenModel(fault: Fault): Promise<ModelServer> {
  const server = await startModelServer();
  servers.push(server);
  server.fail('chat', fault);
  return server;
}

const builtin = { MEMD_DRAIN_BACKEND: 'builtin' };
const lastWord = (home: Home) => home.daemonLog().at(-1)?.msg;
const serious = (home: Home) => home.daemonLog().filter(({ level }) => level >= 50);

describe('a stop in the middle of work', () => {
  test('while a model keeps the daemon waiting: it ends in order, and the rows are free for the next drain', async () => {
    const server = await brokenModel({ kind: 'hang' });
    const home = Home.open({ env: { LOCALLLM_HOST: server.url }, config: { drain: { tickMs: 50 } } });
    const pid = await home.start();
    await home.capture({ tool: 'Read', input: {}, output: 'a' });
    await server.arrived('chat');
    expect(await home.memd(['stop'])).toMatchObject({ code: 0, stdout: `memd was stopped (pid ${pid})\n` });
    expect([lastWord(home), serious(home)]).toEqual(['stopped', []]);
    expect(await home.memd(['drain'], { env: builtin })).toMatchObject({ stdout: '{"processed":1}\n' });
  });

  test('with idle connections and a subscriber: all are ended, and the daemon with them', async () => {
    const home = Home.open();
    const pid = await home.start();
    const { socket } = home.workspace();
    const idlers = await Promise.all(Array.from({ length: 20 }, () => Wire.open(socket)));
    const subscriber = await Wire.open(socket);
    subscriber.send('{"op":"subscribe"}\n');
    await subscriber.reply();
    await end(pid, 'SIGTERM');
    await Promise.all(idlers.map((idler) => idler.closed()));
    for (const wire of [...idlers, subscriber]) wire.close();
    expect([lastWord(home), serious(home)]).toEqual(['stopped', []]);
  });

  test('with captures under way: each acknowledged one is stored, and the log is empty', async () => {
    const home = Home.open();
    const pid = await home.start();
    const wire = await Wire.open(home.workspace().socket);
    const promised: string[] = [];
    for (let at = 0; at < 200; at += 1) {
      wire.send(
        `${JSON.stringify({ op: 'capture', tool: 'Read', input: { at }, output: 'x', toolUseId: `c${at}` })}\n`,
      );
    }
    for (let line = await wire.line(); line !== null; line = await wire.line()) {
      const reply = JSON.parse(line);
      if (reply.ok === true) promised.push(reply.id);
      if (promised.length === 20) process.kill(pid, 'SIGTERM');
    }
    await end(pid, 'SIGTERM');
    wire.close();
    expect(promised.length).toBeGreaterThanOrEqual(20);
    const stored = new Set(home.rows('SELECT id FROM events').map(({ id }) => id));
    expect(promised.filter((id) => !stored.has(id))).toEqual([]);
    expect([lastWord(home), serious(home)]).toEqual(['stopped', []]);
  });
});

describe('an interrupted drain', () => {
  test('by SIGINT ends the command, and the rows it held are free', async () => {
    const server = await brokenModel({ kind: 'hang' });
    const home = await Home.withRaw(3);
    let pid = 0;
    const draining = home.memd(['drain'], {
      env: { LOCALLLM_HOST: server.url },
      running: (started) => {
        pid = started;
      },
    });
    await server.arrived('chat');
    process.kill(pid, 'SIGINT');
    await draining;
    expect(await home.memd(['drain'], { env: builtin })).toMatchObject({
      code: 0,
      stdout: '{"processed":3}\n',
    });
  });

  test('by kill -9 of a command: the next drain takes the rows it held', async () => {
    const server = await brokenModel({ kind: 'hang' });
    const home = await Home.withRaw(3);
    let pid = 0;
    const draining = home.memd(['drain'], {
      env: { LOCALLLM_HOST: server.url },
      running: (started) => {
        pid = started;
      },
    });
    await server.arrived('chat');
    process.kill(pid, 'SIGKILL');
    await draining;
    expect(await home.memd(['drain'], { env: builtin })).toMatchObject({
      code: 0,
      stdout: '{"processed":3}\n',
    });
  });

  test('by kill -9 of the daemon: the next one takes the rows it held', async () => {
    const server = await brokenModel({ kind: 'hang' });
    const home = Home.open({ config: { drain: { tickMs: 50 } } });
    const pid = await home.start({ env: { LOCALLLM_HOST: server.url } });
    await home.capture({ tool: 'Read', input: {}, output: 'a' });
    await server.arrived('chat');
    await end(pid);
    await home.start({ env: builtin });
    await until('the summary', async () => (await home.info()).counts.summarized === 1);
  });
});

describe('a slow model', () => {
  test('keeps neither captures nor searches waiting', async () => {
    const server = await brokenModel({ kind: 'hang' });
    const home = Home.open({ env: { LOCALLLM_HOST: server.url }, config: { drain: { tickMs: 50 } } });
    await home.start();
    await home.capture({ tool: 'Read', input: {}, output: 'a' });
    await server.arrived('chat');
    await home.capture({ tool: 'Read', input: {}, output: 'b' });
    expect(await home.ask({ op: 'search', query: 'anything' })).toEqual({ ok: true, hits: [] });
    await until('both events', async () => (await home.info()).counts.events === 2);
  });
});
