import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ensureFolders, findWorkspace, layout, workspaceKey } from './layout.ts';
import { homeOf, namespaceOf } from './paths.ts';
import { findRecordedWorkspace } from './recorded.ts';

let home: string;
let umask: number;

beforeEach(() => {
  home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-layout-')));
  umask = process.umask();
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const modeOf = (target: string): number => fs.statSync(target).mode & 0o777;

describe('workspaceKey', () => {
  test('is a readable slug and the first 12 hex of the path', () => {
    const hex = createHash('sha256').update('/home/u/My Project_2').digest('hex').slice(0, 12);
    expect(workspaceKey('/home/u/My Project_2')).toBe(`my-project-2-${hex}`);
    expect(workspaceKey('/')).toMatch(/^root-[0-9a-f]{12}$/);
    expect(workspaceKey('/日本')).toMatch(/^root-[0-9a-f]{12}$/);
    expect(workspaceKey(`/${'x'.repeat(300)}`)).toMatch(/^x{24}-[0-9a-f]{12}$/);
  });

  test('is a plain file name for any path, and differs for any two', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(workspaceKey(`/${a}`)).toMatch(/^[a-z0-9][a-z0-9-]*-[0-9a-f]{12}$/);
        if (Buffer.from(a).compare(Buffer.from(b)) !== 0) {
          expect(workspaceKey(`/${a}`)).not.toBe(workspaceKey(`/${b}`));
        }
      }),
    );
  });
});

test.each(['rel', '../..', '.', '~'])('a relative home (%s) is refused: it may be in a repository', (odd) => {
  const env = { HOME: odd };
  expect(() => homeOf(env)).toThrow(/not an absolute path/);
  expect(() => findWorkspace(env, home)).toThrow(/not an absolute path/);
  expect(() => findRecordedWorkspace(env, home)).toThrow(/not an absolute path/);
});

describe('namespaceOf', () => {
  test('is `default` when nothing is said', () => {
    expect(namespaceOf({})).toBe('default');
    expect(namespaceOf({ MEMD_NS: '' })).toBe('default');
  });

  test('takes what is a name, and refuses what could be a path', () => {
    for (const name of ['a', 'Team-1.x_y', '9', 'a'.repeat(64)])
      expect(namespaceOf({ MEMD_NS: name })).toBe(name);
    for (const name of ['.', '..', '../x', 'a/b', '-a', '_a', 'a b', 'a\n', 'é', 'a'.repeat(65)]) {
      expect(() => namespaceOf({ MEMD_NS: name })).toThrow(
        expect.objectContaining({ code: 'bad_namespace' }),
      );
    }
  });

  test('refuses the name of the file that holds the token', () => {
    for (const name of ['auth.token', 'AUTH.Token', 'auth.token.1.tmp'])
      expect(() => namespaceOf({ MEMD_NS: name })).toThrow(/token file/);
  });
});

describe('layout', () => {
  test('puts the files where the specification says', () => {
    const at = layout('/h', 'team', '/h/proj');
    const folder = `/h/.memd/team/workspaces/${workspaceKey('/h/proj')}`;
    expect(at).toMatchObject({
      base: '/h/.memd',
      folder,
      config: '/h/.memd/team/config.json',
      pid: `${folder}/run.pid`,
      socket: `${folder}/memd.sock`,
      database: `${folder}/db.sqlite`,
      log: `${folder}/wal.ndjson`,
      daemonLog: `/h/.memd/team/logs/${workspaceKey('/h/proj')}.ndjson`,
    });
  });

  test('is the same from every folder of a project, and follows HOME and the namespace', () => {
    const project = path.join(home, 'project');
    fs.mkdirSync(path.join(project, '.git'), { recursive: true });
    fs.mkdirSync(path.join(project, 'src'));
    const env = { HOME: home, MEMD_NS: 'n' };
    expect(findWorkspace(env, path.join(project, 'src'))).toEqual(findWorkspace(env, project));
    expect(findWorkspace(env, project)).toEqual(layout(home, 'n', project));
  });
});

describe('ensureFolders', () => {
  test('makes every folder 0700, whatever the umask', () => {
    for (const mask of [0o000, 0o277]) {
      const at = layout(home, `mask${mask}`, '/p');
      process.umask(mask);
      try {
        ensureFolders(at);
        ensureFolders(at);
      } finally {
        process.umask(umask);
      }
      for (const folder of [at.base, path.dirname(at.config), at.folder, path.dirname(at.daemonLog)]) {
        expect(modeOf(folder)).toBe(0o700);
      }
    }
  });

  test('refuses a folder that is open to others, with the command that repairs it', () => {
    const at = layout(home, 'default', '/p');
    ensureFolders(at);
    fs.chmodSync(at.folder, 0o750);
    expect(() => ensureFolders(at)).toThrow(`Run \`chmod 700 '${at.folder}'\`.`);
    fs.chmodSync(at.folder, 0o700);
    ensureFolders(at);
  });

  test('refuses a link and a file in a folder’s place', () => {
    const at = layout(home, 'default', '/p');
    fs.mkdirSync(path.join(home, 'elsewhere'), { mode: 0o700 });
    fs.symlinkSync(path.join(home, 'elsewhere'), at.base);
    expect(() => ensureFolders(at)).toThrow(`${at.base} is a symbolic link`);
    expect(fs.readdirSync(path.join(home, 'elsewhere'))).toEqual([]);
    fs.rmSync(at.base);
    fs.writeFileSync(at.base, '');
    expect(() => ensureFolders(at)).toThrow(expect.objectContaining({ code: 'unsafe_folder' }));
  });

  test.runIf(process.getuid?.() === 0)('refuses a folder of another user', () => {
    const at = layout(home, 'default', '/p');
    ensureFolders(at);
    fs.chownSync(at.folder, 12_345, 12_345);
    expect(() => ensureFolders(at)).toThrow(`${at.folder} belongs to another user (uid 12345)`);
  });
});
