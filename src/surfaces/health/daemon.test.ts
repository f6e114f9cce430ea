import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeLock } from '../../core/platform/index.ts';
import { ensureFolders, findWorkspace, type Workspace } from '../../core/workspace/index.ts';
import { daemon } from './daemon.ts';

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
  daemon.look({ workspace, version: '2.0.0', env: {}, progress: () => {}, running: async () => null });

test('one that answers and is of this version is well', async () => {
  await answering('{"ok":true,"info":{"version":"2.0.0"}}');
  expect(await look()).toEqual([]);
});

test('one of another version is told with both', async () => {
  await answering('{"ok":true,"info":{"version":"1.9.0"}}');
  expect(await look()).toMatchObject([{ severity: 'warning', detail: '1.9.0, not 2.0.0' }]);
});

test('one of a newer version is not for this program to end', async () => {
  await answering('{"ok":true,"info":{"version":"2.0.1"}}');
  expect(await look()).toMatchObject([{ detail: '2.0.1, not 2.0.0', isFixable: false }]);
});

test('none is worth a note', async () => {
  expect(await look()).toMatchObject([{ severity: 'note', isFixable: false }]);
});

test('something else that listens there is nothing to be mended', async () => {
  await answering('HTTP/1.1 400 Bad Request');
  expect(await look()).toMatchObject([{ detail: workspace.socket, isFixable: false }]);
});

test('one behind a socket that others may use is not asked; its mode is told by another check', async () => {
  await answering('{"ok":true,"info":{"version":"1.9.0"}}');
  fs.chmodSync(workspace.socket, 0o666);
  expect(await look()).toEqual([]);
});

test('one that holds the workspace without an answer hangs', async () => {
  fs.writeFileSync(workspace.pid, '12345\n');
  const lock = takeLock(workspace.lock);
  try {
    expect(await look()).toEqual([{ detail: 'pid 12345' }]);
  } finally {
    lock?.release();
  }
});
