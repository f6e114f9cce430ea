import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dist } from '../support/home.ts';
import { type Packed, pack, stage } from '../support/tarball.ts';

let folder: string;
let packed: Packed;

beforeAll(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-pack-')));
  stage(folder);
  packed = pack(folder, ['--dry-run']);
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

function inDist(): string[] {
  return packed.files.map(({ path: name }) => name).filter((name) => name.startsWith('dist/'));
}

function textOf(name: string): string {
  return fs.readFileSync(path.join(folder, name), 'utf8');
}

describe('the tarball', () => {
  test('holds the programs and their documents, and no development files', () => {
    const others = packed.files.map(({ path: name }) => name).filter((name) => !name.startsWith('dist/'));
    expect(others.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
    const allowed =
      /^dist\/([a-z-]+\.[cm]js|cli-[\w-]+\.cjs|THIRD-PARTY-LICENSES|(help|completion|man|web)\/.+|capture-observation\.sh|tools\.json|unlock\.html)$/;
    expect(inDist().filter((name) => !allowed.test(name))).toEqual([]);
    const ofWork = /\.map$|\.ts$|\btest\b|bench|fixture|-for-tests|node_modules/;
    expect(inDist().filter((name) => ofWork.test(name))).toEqual([]);
  });

  test('holds what its manifest names', () => {
    const manifest: { bin: Record<string, string> } = JSON.parse(textOf('package.json'));
    const names = new Set(packed.files.map(({ path: name }) => name));
    for (const name of Object.values(manifest.bin)) expect(names).toContain(name);
  });

  test('every executable says what runs it, and every command is executable', () => {
    const executables = packed.files.filter(({ mode }) => (mode & 0o111) !== 0).map(({ path: name }) => name);
    expect(executables).toEqual(expect.arrayContaining(['dist/memd.cjs', 'dist/mem.cjs']));
    for (const name of executables)
      expect(`${name}: ${textOf(name).slice(0, 20)}`).toMatch(
        name.endsWith('.sh') ? /: #!\/bin\/sh\n/ : /: #!\/usr\/bin\/env node\n/,
      );
  });

  test('names no folder of the machine that built it', () => {
    const places = [path.resolve(import.meta.dirname, '../..'), os.homedir(), os.hostname()].filter(
      (place) => place.length > 3 && place !== '/root',
    );
    const naming = inDist().filter((name) => places.some((place) => textOf(name).includes(place)));
    expect(naming).toEqual([]);
  });

  test('names the licence of every package that is bundled', () => {
    const licences = fs.readFileSync(path.join(dist, 'THIRD-PARTY-LICENSES'), 'utf8');
    for (const name of [
      'commander',
      'valibot',
      'pino',
      'preact',
      '@modelcontextprotocol/server',
      'zod',
      'unbash',
    ]) {
      expect(licences).toMatch(new RegExp(`^ {2}${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
    }
    expect(licences).toContain('Permission is hereby granted');
  });

  test('is small', () => {
    expect(packed.size).toBeLessThan(2 * 1024 * 1024);
  });
});
