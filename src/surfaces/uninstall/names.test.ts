import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { layout } from '#core/workspace';
import { placeOf } from './names.ts';

const workspace = layout('/home/ada', 'default', '/home/ada/mill');
const inWorkspace = (name: string) =>
  placeOf(path.join(path.relative(workspace.base, workspace.folder), name), false);

describe('the names of files', () => {
  test('every file that a workspace has is known by its place', () => {
    const { namespace: _, root: __, key: ___, base, folder: ____, ...files } = workspace;
    const known = Object.entries(files).map(([name, file]) => [
      name,
      placeOf(path.relative(base, file), false) !== null,
    ]);
    expect(known.length).toBeGreaterThan(10);
    expect(known.filter(([, isKnown]) => isKnown !== true)).toEqual([]);
  });

  test.each([
    ...['db.sqlite', 'db.sqlite-wal', 'db.sqlite-shm', 'db.sqlite.schema-2.backup', 'db.sqlite.damaged'],
    ...['db.sqlite.corrupt-20260131T120000.000Z', 'db.sqlite.corrupt-20260131T120000.000Z-wal'],
    ...[
      'wal.ndjson',
      'wal-damaged.ndjson',
      'wal.ndjson.replaced-1790000000000',
      'spool.ndjson',
      'spool.ndjson.taking',
      'spool.dropped',
    ],
    ...['restore-20260131T120000.000Z.ndjson', 'root', 'identity.json', 'db.sqlite.adopted'],
  ])('%s is memory', (name) => expect(inWorkspace(name)).toBe('kept'));

  test.each([
    ...['run.pid', 'run.lock', 'run.lock-journal', 'run.idle', 'memd.sock', 'http.port', 'wal.ndjson.next'],
    ...[
      'session-start.json',
      'session-start.claim',
      'run.pid.12.tmp',
      'db.sqlite.schema-1.backup.12.tmp-journal',
      'db.sqlite.salvaging-wal',
    ],
  ])('%s is of the running memd alone', (name) => expect(inWorkspace(name)).toBe('running'));

  test.each([
    ...['db.sqlite.mine', 'my-db.sqlite', 'restore-mine.ndjson', 'all.ndjson', 'notes', '.DS_Store', 'tmp'],
    ...['wal.ndjson~', 'run.pid.tmp', 'config.json', 'auth.token', 'scope.json'],
  ])('%s in a workspace is not of memd', (name) => expect(inWorkspace(name)).toBe(null));

  test('nothing is known in a place that is not its own', () => {
    expect(['config.json', 'scope.json', 'default/auth.token'].map((name) => placeOf(name, false))).toEqual([
      null,
      null,
      null,
    ]);
    const logs = ['default/health.ndjson.1', 'default/health.ndjson.12.tmp'];
    const log = 'default/logs/mill-0123456789ab.ndjson.2';
    expect([...logs, log, 'default/logs/mill.ndjson'].map((name) => placeOf(name, false))).toEqual([
      ...['running', 'running', 'running'],
      null,
    ]);
  });
});
