import fs from 'node:fs';
import path from 'node:path';
import type { Home } from './home.ts';

/** One broken thing, and what `memd doctor` says about it. */
export interface Break {
  readonly name: string;
  readonly code: string;
  readonly breaks: (home: Home) => void;
  /** Set if only the user can repair it: what the repair must say. */
  readonly repair?: RegExp;
  readonly isNote?: true;
}

/** A key of a known format, made up here so that none stands in the source. */
export const secret = ['AKIA', 'QX7', 'PL2', 'ZM4', 'RT9', 'WB6', 'K'].join('');

function file(home: Home, name: string): string {
  return path.join(home.workspace().folder, name);
}

export function writePrivate(target: string, text: string): void {
  fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
  fs.writeFileSync(target, text, { mode: 0o600 });
}

/** What `--fix` repairs. */
export const brokenForNow: readonly Break[] = [
  {
    name: 'a database that everybody can read',
    code: 'modes',
    breaks: (home) => fs.chmodSync(home.workspace().database, 0o644),
  },
  {
    name: 'a token that is none',
    code: 'token',
    breaks: (home) => writePrivate(home.workspace().token, 'hunter2\n'),
  },
  {
    name: 'an index that an operator has emptied',
    code: 'index',
    breaks: (home) => home.operate('DELETE FROM summaries_fts WHERE rowid > 1'),
  },
  {
    name: 'vectors that were deleted',
    code: 'vectors',
    breaks: (home) => home.operate('DELETE FROM summary_embeddings'),
  },
  {
    name: 'a full spool, and calls that did not fit',
    code: 'spool',
    breaks: (home) => {
      writePrivate(file(home, 'spool.dropped'), '...');
      writePrivate(home.workspace().spool, 'half a line\n');
    },
  },
  {
    name: 'a secret that older rules did not know',
    code: 'stored-secrets',
    breaks: (home) =>
      home.operate(
        `UPDATE edges SET evidence = evidence; INSERT INTO settings VALUES ('focus', 'rotate ${secret}')`,
      ),
  },
];

/** What only the user can repair, and notes. */
export const brokenForGood: readonly Break[] = [
  {
    name: 'a setting that is not known',
    code: 'config',
    breaks: (home) => home.configure({ 'drain.fallback': 'builtin', topk: 5 }),
    repair: /correct its name/,
  },
  {
    name: 'rows that were given up',
    code: 'skipped-rows',
    breaks: (home) => home.operate("UPDATE events SET status = 'skipped', last_error = 'torn' WHERE seq < 3"),
    repair: /sqlite3 \S+db\.sqlite "UPDATE events SET status='raw' WHERE status='skipped'"/,
  },
  {
    name: 'payloads beyond all use',
    code: 'over-capture',
    breaks: (home) =>
      home.operate(
        `UPDATE events SET payload_json = json_set(payload_json, '$.output', '${'of no use '.repeat(6_000)}')`,
      ),
    repair: /retention\.payloadDays/,
  },
  {
    name: 'a copy from before a migration',
    code: 'backups',
    breaks: (home) => writePrivate(`${home.workspace().database}.schema-1.backup`, ''),
    repair: /rm \S+schema-1\.backup/,
    isNote: true,
  },
  {
    name: 'the same project in another namespace',
    code: 'namespaces',
    breaks: (home) => writePrivate(home.workspace(home.project, { MEMD_NS: 'work' }).database, ''),
    repair: /MEMD_NS=work memd info/,
    isNote: true,
  },
  {
    name: 'sessions of which nothing was taken in',
    code: 'transcripts',
    breaks: (home) => {
      const name = home.workspace().root.replace(/[^a-zA-Z0-9]/g, '-');
      const line = JSON.stringify({
        type: 'user',
        cwd: home.workspace().root,
        message: { content: 'hello' },
      });
      writePrivate(path.join(home.home, '.claude/projects', name, 's.jsonl'), `${line}\n`);
    },
    repair: /memd backfill/,
    isNote: true,
  },
];
