import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeLock } from '#core/platform';
import { ensureFolders, findWorkspace, type Workspace } from '#core/workspace';
import { daemon } from './daemon.ts';
import { daemonInfo } from './daemon-state.ts';

let folder: string;
let workspace: Workspace;
const servers: net.Server[] = [];

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-health-'));
  workspace = findWorkspace({ HOME: folder }, folder);
  ensureFolders(workspace);
});
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Something that answers every request with the same line. */
async function answering(line: string): Promise<void> {
  const server = net.createServer((socket) => {
    socket.on('data', () => socket.end(`${line}\n`));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(workspace.socket, resolve));
  fs.chmodSync(workspace.socket, 0o600);
}

const look = () =>
  daemon.run({
    ...{ workspace, version: '2.0.0', env: {}, progress: () => {} },
    info: () => daemonInfo(workspace.socket),
  });

test('a daemon of this version is fine', async () => {
  await answering('{"ok":true,"info":{"version":"2.0.0"}}');
  expect(await look()).toEqual([]);
});

test('another version is reported with both', async () => {
  await answering('{"ok":true,"info":{"version":"1.9.0"}}');
  expect(await look()).toMatchObject([{ severity: 'warning', detail: '1.9.0, not 2.0.0' }]);
});

test('a newer daemon is not replaced', async () => {
  await answering('{"ok":true,"info":{"version":"2.0.1"}}');
  expect(await look()).toMatchObject([{ detail: '2.0.1, not 2.0.0', isFixable: false }]);
});

test('a daemon that does not run is a note', async () => {
  expect(await look()).toMatchObject([{ severity: 'note', isFixable: false }]);
});

test('another program on the socket is not fixable', async () => {
  await answering('HTTP/1.1 400 Bad Request');
  expect(await look()).toMatchObject([{ detail: workspace.socket, isFixable: false }]);
});

test('an open socket is not used; another check reports its mode', async () => {
  await answering('{"ok":true,"info":{"version":"1.9.0"}}');
  fs.chmodSync(workspace.socket, 0o666);
  expect(await look()).toEqual([]);
});

test('a daemon that holds the lock and does not answer hangs', async () => {
  fs.writeFileSync(workspace.pid, '12345\n');
  const lock = takeLock(workspace.lock);
  try {
    expect(await look()).toEqual([{ detail: 'pid 12345' }]);
  } finally {
    lock?.release();
  }
});
