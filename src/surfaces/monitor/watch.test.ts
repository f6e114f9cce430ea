import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ensureFolders, findWorkspace, type Workspace } from '#core/workspace';
import { type WatchOptions, watch } from './watch.ts';

let folder: string;
let workspace: Workspace;
let notes: string[];
let outs: string[];
let stop: AbortController;
const closers: (() => Promise<void>)[] = [];

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-monitor-'));
  workspace = findWorkspace({ HOME: folder }, folder);
  ensureFolders(workspace);
  notes = [];
  outs = [];
  stop = new AbortController();
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Something that listens on the workspace's socket. */
async function listening(answer: (request: string, client: net.Socket) => void): Promise<void> {
  const clients = new Set<net.Socket>();
  const server = net.createServer((client) => {
    clients.add(client);
    client.on('error', () => {});
    client.on('data', (data) => answer(data.toString('utf8'), client));
  });
  await new Promise<void>((resolve) => server.listen(workspace.socket, resolve));
  fs.chmodSync(workspace.socket, 0o600);
  closers.push(async () => {
    for (const client of clients) client.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
}

function started(more: Partial<WatchOptions> = {}): Promise<boolean> {
  return watch({
    workspace,
    intervalMs: 10,
    once: false,
    stop: stop.signal,
    out: (text) => outs.push(text),
    note: (text) => notes.push(text),
    ...more,
  });
}

const file = (): string => path.join(path.dirname(workspace.config), 'health.ndjson');
const lines = (): string[] => fs.readFileSync(file(), 'utf8').split('\n').slice(0, -1);
const once = async () => {
  const isWell = await started({ once: true });
  const line: Record<string, unknown> = JSON.parse(lines().at(-1) ?? '');
  return { isWell, line };
};

describe('a line', () => {
  test('of an answer holds exactly what the specification names', async () => {
    await listening((_request, client) => client.write('{"ok":true}\n'));
    const { isWell, line } = await once();
    expect(isWell).toBe(true);
    expect(Object.keys(line)).toEqual(['ts', 'ok', 'latencyMs', 'body']);
    expect(line).toMatchObject({ ok: true, body: '{"ok":true}' });
    expect(line.ts).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Number.isInteger(line.latencyMs)).toBe(true);
    expect(outs).toEqual([lines().at(-1)]);
  });

  test('asks with a ping and nothing else', async () => {
    const requests: string[] = [];
    await listening((request, client) => {
      requests.push(request);
      client.end('{"ok":true}\n');
    });
    await once();
    expect(requests).toEqual(['{"op":"ping"}\n']);
  });

  test('of no socket, no folder or a dead socket says so', async () => {
    expect(await once()).toMatchObject({ isWell: false, line: { ok: false, error: 'connect ENOENT' } });
    expect(Object.keys((await once()).line)).toEqual(['ts', 'ok', 'latencyMs', 'error']);
    fs.writeFileSync(workspace.socket, '');
    expect(await once()).toMatchObject({ line: { error: 'connect ECONNREFUSED' } });
    fs.rmSync(workspace.folder, { recursive: true });
    expect(await once()).toMatchObject({ line: { error: 'connect ENOENT' } });
  });

  test('of a silent one, or one that never comes to an end, says `timeout`', async () => {
    await listening((_request, client) => client.write('{"ok":'));
    expect(await once()).toMatchObject({ isWell: false, line: { ok: false, error: 'timeout' } });
  });

  test.runIf(process.platform === 'linux')(
    'says `timeout` also when the queue of one that hangs is full',
    async () => {
      const child = spawn(process.execPath, ['-e', hanging, workspace.socket]);
      const waiting: net.Socket[] = [];
      try {
        await new Promise((resolve) => child.stdout.once('data', resolve));
        child.kill('SIGSTOP');
        for (let code: unknown; code !== 'EAGAIN'; ) {
          const client = net.connect(workspace.socket);
          waiting.push(client);
          code = await new Promise((resolve) => {
            client.once('connect', () => resolve(null));
            client.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
          });
        }
        expect(await once()).toMatchObject({ isWell: false, line: { ok: false, error: 'timeout' } });
      } finally {
        child.kill('SIGKILL');
        for (const client of waiting) client.destroy();
      }
    },
  );

  test.each([
    ['closed without a reply', ''],
    ['the reply is not a JSON object', 'HTTP/1.1 400 Bad Request\r\n'],
    ['the reply is not a JSON object', '[true]\n'],
    ['the reply is too long', `{"ok":true,"more":"${'x'.repeat(2_000)}"}\n`],
    ['refused: busy', '{"ok":false,"error":{"code":"busy","message":"later"}}\n'],
    ['refused', '{"ok":false,"error":{"code":"\\u001b[31m"}}\n'],
    ['refused', '{}\n'],
  ])('says `%s` of %j', async (error, reply) => {
    await listening((_request, client) => client.end(reply));
    expect(await once()).toMatchObject({ isWell: false, line: { ok: false, error } });
  });

  test('takes a reply in pieces, and one without its newline', async () => {
    await listening((_request, client) => {
      client.write('{"ok"');
      setImmediate(() => client.write(':true}'));
    });
    expect(await once()).toMatchObject({ isWell: true, line: { body: '{"ok":true}' } });
  });
});

/** Listens with a short queue, and says so. */
const hanging = `
  process.umask(0o177);
  const server = require('node:net').createServer();
  server.listen({ path: process.argv[1], backlog: 2 }, () => console.log('listening'));
`;

describe('watching', () => {
  test('goes on until it is stopped, within a ping or between two', async () => {
    let pings = 0;
    await listening((_request, client) => {
      pings += 1;
      if (pings < 4) client.end('{"ok":true}\n');
      else stop.abort();
    });
    expect(await started()).toBe(true);
    expect(lines()).toHaveLength(3);
    stop = new AbortController();
    const waiting = started({ intervalMs: 3_600_000 });
    stop.abort();
    await waiting;
  });

  test('begins with a line at once', async () => {
    await started({ intervalMs: 3_600_000, nowMs: stoppingInThePause(stop) });
    expect(lines()).toHaveLength(1);
  });

  test('ends at once where it may never write', async () => {
    fs.symlinkSync(path.join(folder, 'elsewhere'), file());
    await expect(started()).rejects.toMatchObject({ code: 'unsafe_file' });
  });

  test('continues while nothing can be written, and reports when that begins and ends', async () => {
    let pings = 0;
    await listening((_request, client) => {
      pings += 1;
      if (pings === 2) fs.renameSync(file(), `${file()}.away`);
      if (pings === 2) fs.mkdirSync(file(), { mode: 0o700 });
      if (pings === 5) fs.rmdirSync(file());
      if (pings === 7) stop.abort();
      client.end('{"ok":true}\n');
    });
    expect(await started()).toBe(true);
    expect(lines().length).toBeGreaterThanOrEqual(2);
    expect(notes).toEqual([
      expect.stringContaining('health.ndjson is not a file'),
      'memd monitor: health.ndjson is writable again',
    ]);
  });
});

/** A clock that stops the watching when it is asked for the length of the first pause. */
function stoppingInThePause(controller: AbortController): () => number {
  let asked = 0;
  return () => {
    asked += 1;
    if (asked === 3) controller.abort();
    return 0;
  };
}
