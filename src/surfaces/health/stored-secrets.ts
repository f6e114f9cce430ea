import fs from 'node:fs';
import path from 'node:path';
import { Failure, messageOf } from '#core/platform';
import type { Workspace } from '#core/workspace';
import { copiesIn } from '#memory/archive';
import { isCorruption, type RedactRows, scanTexts, scrubTexts } from '#memory/store';
import { type Check, type Context, checkFailed, isExpected, type Problem, type Subject } from './check.ts';
import { Tally } from './secrets/clean.ts';
import { cleanRows } from './secrets/clean-rows.ts';
import { scanCopy, scrubCopy } from './secrets/copies.ts';
import { scanLines, scrubLines } from './secrets/lines.ts';
import { filesIn } from './words.ts';

/** Applies today's redaction rules to everything that is stored of a workspace. */
export const storedSecrets: Check = {
  code: 'stored-secrets',
  severity: 'error',
  sentence: "stored data contains secrets by today's rules",
  repair: 'run `memd doctor --fix`',
  run: scan,
  fix: { needsStop: true, done: 'they were removed everywhere', run: scrub },
};

/** The files that may hold secrets; `unit` is what is counted in them. */
function placesOf({ database, ...workspace }: Workspace) {
  const rows = (tally: Tally): RedactRows => cleanRows(tally, (table) => table);
  return [
    {
      name: 'the database',
      unit: 'row',
      scan: (tally: Tally) => void (fs.existsSync(database) && scanTexts(database, rows(tally))),
      scrub: () => scrubTexts(database, rows(new Tally())),
    },
    ...lineFilesOf(workspace).map((file) => ({
      name: path.basename(file),
      unit: 'line',
      scan: (tally: Tally) => scanLines(file, path.basename(file), tally),
      scrub: () => (file === workspace.spool ? scrubSpool(file) : scrubLines([file], file)),
    })),
    ...copiesIn(path.dirname(database)).map((copy) => ({
      name: path.basename(copy),
      unit: 'place',
      scan: (tally: Tally) => scanCopy(copy, tally),
      scrub: () => scrubCopy(copy),
    })),
  ];
}

async function scan({ workspace, progress }: Context): Promise<Problem[]> {
  return placesOf(workspace).flatMap((place) => {
    progress(`checking ${place.name}`);
    const tally = new Tally();
    const problems: Problem[] = [];
    try {
      place.scan(tally);
    } catch (error) {
      // One place must not hide what the others hold.
      problems.push(isCorruption(error) ? damaged(error) : checkFailed(error, place.name));
    }
    return [...problems, ...tally.inWords(place.unit).map((detail) => ({ detail }))];
  });
}

function damaged(error: unknown): Problem {
  const sentence = 'the database is damaged, so not all of it was checked for secrets';
  return { sentence, detail: messageOf(error), repair: 'run `memd doctor --fix`', isFixable: false };
}

/** Without a daemon, but hooks may write to the spool. A place that cannot be scrubbed does not stop the others. */
async function scrub({ workspace, progress }: Subject): Promise<void> {
  const failures: Error[] = [];
  finishSpool(workspace.spool);
  for (const place of placesOf(workspace)) {
    progress(`scrubbing ${place.name}`);
    try {
      const tally = new Tally();
      place.scan(tally);
      if (tally.places.size > 0) place.scrub();
    } catch (error) {
      // The check `database` reports damage and a newer schema.
      const isKnown =
        place.name === 'the database' &&
        (isCorruption(error) || (error instanceof Failure && error.code === 'newer_schema'));
      if (!isExpected(error) || !(error instanceof Error)) throw error;
      if (!isKnown) failures.push(error);
    }
  }
  const [first] = failures;
  if (first !== undefined) throw first;
}

/** Hooks add to the spool at any time: rename it first, as the daemon does, then append it to what waits to be stored. */
function scrubSpool(spool: string): void {
  fs.renameSync(spool, `${spool}.scrubbing`);
  finishSpool(spool);
}

/** Also finishes for a repair that was killed. An event that is there twice is stored once. */
function finishSpool(spool: string): void {
  const taken = `${spool}.scrubbing`;
  if (fs.existsSync(taken)) scrubLines([`${spool}.taking`, taken], `${spool}.taking`);
}

/** All files of lines, the spool last. */
function lineFilesOf({ folder, spool, daemonLog }: Pick<Workspace, 'folder' | 'spool' | 'daemonLog'>) {
  const own =
    /^(?:wal(?:-damaged)?\.ndjson|wal\.ndjson\.replaced-\d+|spool\.ndjson(?:\.taking|\.scrubbing)?|restore-.*\.ndjson)$/;
  const isLog = (name: string) => name.startsWith(path.basename(daemonLog));
  const files = [...filesIn(folder, (name) => own.test(name)), ...filesIn(path.dirname(daemonLog), isLog)];
  return files.filter((file) => file !== spool).concat(files.filter((file) => file === spool));
}
