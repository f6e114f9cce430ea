import fs from 'node:fs';
import path from 'node:path';
import { Failure, messageOf } from '../../core/platform/index.ts';
import type { Workspace } from '../../core/workspace/index.ts';
import { isCorruption, type RedactRows, scanTexts, scrubTexts } from '../../memory/store/index.ts';
import type { Check, Found, Looked, Subject } from './check.ts';
import { cleanRows } from './secrets/clean-rows.ts';
import { copiesOf, scanCopy, scrubCopy } from './secrets/copies.ts';
import { scanLines, scrubLines } from './secrets/lines.ts';
import { Tally } from './secrets/tally.ts';
import { isExpected, unchecked } from './unchecked.ts';
import { namesIn } from './words.ts';

/** What was stored before a rule knew it: today's rules, over everything that is kept of this workspace. */
export const storedSecrets: Check = {
  code: 'stored-secrets',
  severity: 'error',
  sentence: "secrets that today's rules know are stored",
  repair: 'run: memd doctor --fix',
  look,
  fix: { needsStop: true, does: 'they were taken out of everything that is kept', run: scrub },
};

async function look({ workspace, progress }: Looked): Promise<Found[]> {
  const found: Found[] = [];
  const lookInto = (name: string, places: () => readonly Found[]): void => {
    progress(`looking through ${name}`);
    try {
      found.push(...places());
    } catch (error) {
      // It must not hide what the other places hold.
      found.push(unchecked(error, name));
    }
  };
  lookInto('the database', () => lookIntoDatabase(workspace));
  for (const file of lineFilesOf(workspace)) {
    const name = path.basename(file);
    lookInto(name, () => counted('line', (tally) => scanLines(file, name, tally)));
  }
  for (const copy of copiesOf(workspace.database)) {
    lookInto(path.basename(copy), () => counted('place', (tally) => scanCopy(copy, tally)));
  }
  progress('');
  return found;
}

function counted(noun: string, scan: (tally: Tally) => void): Found[] {
  const tally = new Tally();
  scan(tally);
  return reportedBy(tally, noun);
}

function lookIntoDatabase({ database }: Workspace): Found[] {
  if (!fs.existsSync(database)) return [];
  const tally = new Tally();
  try {
    scanTexts(
      database,
      cleanRows(tally, (place) => place),
    );
  } catch (error) {
    if (!isCorruption(error)) throw error;
    const damaged: Found = {
      sentence: 'the database is damaged, and not all of it could be looked through',
      detail: messageOf(error),
      repair: 'run: memd doctor --fix',
      isFixable: false,
    };
    return [damaged, ...reportedBy(tally, 'row')];
  }
  return reportedBy(tally, 'row');
}

function reportedBy(tally: Tally, noun: string): Found[] {
  return [...tally.places].map(([place, count]) => ({ detail: `${place}: ${Tally.inWords(count, noun)}` }));
}

/** No daemon is at work; hooks may spool at any moment. One place that cannot be scrubbed keeps none of the others from it. */
async function scrub({ workspace, progress }: Subject): Promise<void> {
  const { database } = workspace;
  const failures: unknown[] = [];
  const attempt = (fix: () => void): void => {
    try {
      fix();
    } catch (error) {
      if (!isExpected(error)) throw error;
      failures.push(error);
    }
  };
  progress('scrubbing the database');
  attempt(() => scrubDatabase(database));
  attempt(() => scrubSpool(workspace));
  for (const file of lineFilesOf(workspace).filter((one) => one !== workspace.spool)) {
    attempt(() => {
      if (holds((tally) => scanLines(file, file, tally))) scrubLines([file], file);
    });
  }
  for (const copy of copiesOf(database)) {
    attempt(() => {
      if (holds((tally) => scanCopy(copy, tally))) scrubCopy(copy);
    });
  }
  progress('');
  if (failures.length > 0) throw failures[0];
}

function scrubDatabase(database: string): void {
  if (!fs.existsSync(database)) return;
  const redacting = (tally: Tally): RedactRows => cleanRows(tally, (place) => place);
  try {
    if (!holds((tally) => scanTexts(database, redacting(tally)))) return;
    scrubTexts(database, redacting(new Tally()));
  } catch (error) {
    // The next look tells of the damage, or of the newer schema; the other places are scrubbed all the same.
    const isNewer = error instanceof Failure && error.code === 'newer_schema';
    if (!isNewer && !isCorruption(error)) throw error;
  }
}

function holds(scan: (tally: Tally) => unknown): boolean {
  const tally = new Tally();
  scan(tally);
  return tally.places.size > 0;
}

/**
 * Hooks add to the spool without asking: it is taken from them first, as the daemon does, and joins what waits to be
 * taken in. What a killed repair had taken joins too; an event that is there twice is stored once.
 */
function scrubSpool({ spool }: Workspace): void {
  const [taking, taken] = [`${spool}.taking`, `${spool}.scrubbing`];
  if (!fs.existsSync(taken) && holds((tally) => scanLines(spool, spool, tally))) fs.renameSync(spool, taken);
  if (fs.existsSync(taken)) scrubLines([taking, taken], taking);
}

/** Everything of a workspace that is kept as lines. */
function lineFilesOf({ folder, spool, daemonLog }: Workspace): string[] {
  const own = namesIn(folder).filter((name) =>
    /^(?:wal(?:-damaged)?\.ndjson|wal\.ndjson\.replaced-\d+|spool\.ndjson(?:\.taking|\.scrubbing)?|restore-.*\.ndjson)$/.test(
      name,
    ),
  );
  const logs = namesIn(path.dirname(daemonLog)).filter((name) => name.startsWith(path.basename(daemonLog)));
  const files = [
    ...own.map((name) => path.join(folder, name)),
    ...logs.map((name) => path.join(path.dirname(daemonLog), name)),
  ];
  return files.filter((file) => file !== spool).concat(fs.existsSync(spool) ? [spool] : []);
}
