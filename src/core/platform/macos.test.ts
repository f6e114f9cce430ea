import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandLine } from './process.ts';
import { socketAddress } from './socket-address.ts';
import { comparableName, spelledAsStored } from './spelling.ts';
import { networkMount, networkVolume } from './volume.ts';

let folder: string;
beforeEach(() => {
  folder = fs.realpathSync.native(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-macos-')));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

describe('on macOS', () => {
  test('a socket path of 103 bytes is taken, one of 104 refused in words', () => {
    const of = (bytes: number) => `/${'x'.repeat(bytes - 1)}`;
    expect(socketAddress(of(103), 'darwin').address).toBe(of(103));
    expect(() => socketAddress(of(104), 'darwin')).toThrow(/longer than 103 bytes/);
    expect(socketAddress(of(107), 'linux').address).toBe(of(107));
  });

  test('the command line of a process is what ps says; null for none', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'a b', 'c'], {
      stdio: 'ignore',
    });
    await new Promise((resolve) => child.once('spawn', resolve));
    // A plain machine may have no ps.
    const said = [`${process.execPath} -e setInterval(() => {}, 1000) a b c`, null];
    expect(said).toContain(commandLine(child.pid ?? 0, 'darwin'));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    expect(commandLine(child.pid ?? 0, 'darwin')).toBeNull();
  });

  test('a path has the spelling of the disk as far as it exists', () => {
    fs.mkdirSync(path.join(folder, 'Real'));
    fs.symlinkSync('Real', path.join(folder, 'link'));
    expect(spelledAsStored(path.join(folder, 'link/new/file'), 'darwin')).toBe(
      path.join(folder, 'Real/new/file'),
    );
    expect(spelledAsStored(path.join(folder, 'link'), 'linux')).toBe(path.join(folder, 'link'));
    // Another case is another file only where the volume says so.
    const other = path.join(folder, 'rEAL');
    const stored = fs.existsSync(other) ? path.join(folder, 'Real') : other;
    expect(spelledAsStored(other, 'darwin')).toBe(stored);
  });

  test('composed and decomposed names are the same', () => {
    const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301'];
    expect(comparableName(decomposed, 'darwin')).toBe(comparableName(composed, 'darwin'));
    expect(comparableName(decomposed, 'linux')).not.toBe(comparableName(composed, 'linux'));
  });

  test('a network volume is known by the innermost mount', () => {
    const listing = [
      '/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)',
      'devfs on /dev (devfs, local, nobrowse)',
      '//someone@server/share on /Volumes/a share (smbfs, nodev, nosuid, mounted by someone)',
      'server:/export on /Volumes/nfs (nfs, asynchronous)',
      '/dev/disk5s1 on /Volumes/nfs/inner (apfs, local, nodev)',
    ].join('\n');
    expect(networkMount('/Users/someone/.memd', listing)).toBeNull();
    expect(networkMount('/Volumes/a share/home', listing)).toBe('SMB');
    expect(networkMount('/Volumes/nfs', listing)).toBe('NFS');
    expect(networkMount('/Volumes/nfs2/home', listing)).toBeNull();
    expect(networkMount('/Volumes/nfs/inner/home', listing)).toBeNull();
    expect(networkVolume(folder, 'darwin')).toBeNull();
  });
});
