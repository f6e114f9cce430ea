import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { headBytesMax, unpacksZstd } from '#assistants/form';
import type { JsonObject } from '#core/event';
import { dashed, LeftHome, userIn } from '../../../test/support/clients/left.ts';

let left: LeftHome;
let root: string;
beforeEach(() => {
  left = new LeftHome();
  root = left.root;
});
afterEach(() => left.remove());

it('finds nothing where nobody has been', async () => {
  expect(await left.find()).toMatchObject({ transcripts: [], unreadable: [] });
});

describe('claude-code', () => {
  const projects = '.claude/projects';

  it('by the folder in a transcript, not by the name that several paths share', async () => {
    const [own, evil] = [dashed(root), dashed(`${root}/evil`)];
    left.write(`${projects}/${own}/a.jsonl`, [{ type: 'summary' }, userIn(root)]);
    left.write(`${projects}/${own}/s/subagents/agent-1.jsonl`, [userIn(root)]);
    left.write(`${projects}/${own}/silent.jsonl`, [{ type: 'summary' }]);
    left.write(`${projects}/${evil}/below.jsonl`, [userIn(`${root}/evil`)]);
    left.write(`${projects}/${evil}/neighbour.jsonl`, [userIn(`${root}-evil`)]);
    left.write(`${projects}/${evil}/silent.jsonl`, [{ type: 'summary' }]);
    left.write(`${projects}/${dashed(`${root}/nested`)}/n.jsonl`, [userIn(`${root}/nested`)]);
    left.write(`${projects}/-elsewhere/w.jsonl`, [userIn('/x'), userIn(root)]);
    expect(await left.found()).toEqual({
      'claude-code': [
        `${projects}/${own}/a.jsonl`,
        `${projects}/${own}/s/subagents/agent-1.jsonl`,
        `${projects}/${own}/silent.jsonl`,
        `${projects}/${evil}/below.jsonl`,
      ].sort(),
    });
  });

  it('though a session begins with megabytes without a folder', async () => {
    const big = { type: 'file-history-snapshot', snapshot: 'x'.repeat(2 * headBytesMax) };
    const other = left.root.replace(/src$/, 'sr/c');
    const name = dashed(left.root);
    left.write(`.claude/projects/${name}/ours.jsonl`, [big, userIn(left.root)]);
    left.write(`.claude/projects/${name}/theirs.jsonl`, [big, userIn(other)]);
    left.write(`.claude/projects/${name}-sub/below.jsonl`, [big, userIn(`${left.root}/sub`)]);
    expect((await left.found())['claude-code']).toEqual([
      `.claude/projects/${name}-sub/below.jsonl`,
      `.claude/projects/${name}/ours.jsonl`,
    ]);
  });

  it('in a worktree somewhere else, whatever its name', async () => {
    const file = left.write(`${projects}/-tmp-wt/a.jsonl`, [userIn(`${root}/as-if`)]);
    expect(await left.found()).toEqual({ 'claude-code': [path.relative(left.home, file)] });
  });

  it('does not follow links, nor read what records point to', async () => {
    left.write('outside/a.jsonl', [userIn(root)]);
    const own = left.write(`${projects}/${dashed(root)}/tool-results/x.jsonl`, [userIn(root)]);
    fs.symlinkSync(path.join(left.home, 'outside'), path.join(path.dirname(path.dirname(own)), 'link'));
    fs.symlinkSync(
      path.join(left.home, 'outside/a.jsonl'),
      path.join(path.dirname(path.dirname(own)), 'l.jsonl'),
    );
    fs.symlinkSync(path.join(left.home, 'outside'), path.join(left.home, projects, `${dashed(root)}-link`));
    expect(await left.found()).toEqual({});
  });

  it('where CLAUDE_CONFIG_DIR says; a relative path says nothing', async () => {
    left.write(`other/projects/${dashed(root)}/a.jsonl`, [userIn(root)]);
    const name = `other/projects/${dashed(root)}/a.jsonl`;
    expect(await left.found({ CLAUDE_CONFIG_DIR: path.join(left.home, 'other') })).toEqual({
      'claude-code': [name],
    });
    expect(await left.found({ CLAUDE_CONFIG_DIR: '~/other' })).toEqual({ 'claude-code': [name] });
    expect(await left.found({ CLAUDE_CONFIG_DIR: 'other' })).toEqual({});
  });
});

describe('codex', () => {
  const meta = (cwd: string, more: JsonObject = {}): JsonObject => ({
    type: 'session_meta',
    payload: { id: 's', cwd, ...more },
  });

  it('by the first record, in sessions and in the archive', async () => {
    const names = [
      'sessions/2026/03/01/rollout-a.jsonl',
      'archived_sessions/rollout-b.jsonl',
      'sessions/2026/03/02/rollout-c.jsonl.gz',
    ].map((name) => `.codex/${name}`);
    const [a = '', b = '', c = ''] = names;
    left.write(a, [meta(root)]);
    left.write(b, [meta(`${root}/below`)]);
    left.write(c, gzipSync(`${JSON.stringify(meta(root))}\n`));
    left.write('.codex/sessions/2026/03/01/rollout-evil.jsonl', [meta(`${root}-evil`)]);
    left.write('.codex/sessions/2026/03/01/notes.jsonl', [meta(root)]);
    left.write('.codex/sessions/2026/03/01/rollout-forked.jsonl', [meta('/elsewhere'), meta(root)]);
    expect(await left.found()).toEqual({ codex: names.toSorted() });
  });

  it('reads no further than the head, and names what cannot be read', async () => {
    left.write('.codex/sessions/rollout-long.jsonl', [
      { type: 'x', a: 'a'.repeat(headBytesMax) },
      meta(root),
    ]);
    const bad = left.write('.codex/sessions/rollout-bad.jsonl.gz', Buffer.from('no gzip'));
    const { transcripts, unreadable } = await left.find();
    expect(transcripts).toEqual([]);
    expect(unreadable).toEqual([expect.stringContaining(bad)]);
  });

  it('packed with zstd, where this Node.js unpacks it, and says so where it does not', async () => {
    const packed = left.write('.codex/sessions/rollout-z.jsonl.zst', zstd(`${JSON.stringify(meta(root))}\n`));
    left.write('.codex/sessions/rollout-y.jsonl.zst', zstd('{}\n'));
    const { transcripts, unreadable } = await left.find();
    if (unpacksZstd) expect(transcripts.map(({ name }) => name)).toEqual([packed]);
    else expect(unreadable).toEqual([expect.stringMatching(/^2 rollouts of Codex .* Node\.js 22\.15/)]);
  });
});

/** A frame of one raw block (RFC 8878, 3.1.1). */
function zstd(text: string): Buffer {
  const body = Buffer.from(text);
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32LE(body.length, 5);
  header.writeUIntLE((body.length << 3) | 1, 9, 3);
  return Buffer.concat([header, body]);
}

it('gives the newest first, and of one time in the order of the names', async () => {
  const files = ['b', 'a', 'c'].map((name) =>
    left.write(`.codex/sessions/rollout-${name}.jsonl`, [{ type: 'session_meta', payload: { cwd: root } }]),
  );
  const claude = left.write(`.claude/projects/${dashed(root)}/z.jsonl`, [userIn(root)]);
  for (const file of files) fs.utimesSync(file, 1_000, 1_000);
  fs.utimesSync(claude, 2_000, 2_000);
  const { transcripts } = await left.find();
  expect(transcripts.map(({ name }) => path.basename(name))).toEqual([
    'z.jsonl',
    'rollout-a.jsonl',
    'rollout-b.jsonl',
    'rollout-c.jsonl',
  ]);
});

it.skipIf(process.getuid?.() === 0)('names a folder that cannot be listed', async () => {
  const closed = path.join(left.home, '.codex/sessions');
  fs.mkdirSync(closed, { recursive: true });
  fs.chmodSync(closed, 0);
  expect((await left.find()).unreadable).toEqual([expect.stringContaining(closed)]);
  fs.chmodSync(closed, 0o700);
});
