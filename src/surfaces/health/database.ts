import fs from 'node:fs';
import { Failure, messageOf } from '../../core/platform/index.ts';
import {
  damageOf,
  isBusy,
  isCorruption,
  openStore,
  openStoreReadOnly,
  schemaVersion,
} from '../../memory/store/index.ts';
import type { Check, Found, Looked } from './check.ts';

/** Whether the database is whole, and of a schema that this memd knows. */
export const database: Check = {
  code: 'database',
  severity: 'error',
  sentence: 'the database is damaged',
  repair: 'run: memd doctor --fix (it sets the file aside and salvages what can be read; nothing is deleted)',
  look,
  fix: {
    needsStop: true,
    does: 'set aside, and what could be read is in a new one',
    run: async ({ workspace }) => openStore(workspace.database, { repair: true, suspect: true }).close(),
  },
  keepsStart: true,
};

async function look({ workspace: { database: file }, progress }: Looked): Promise<Found[]> {
  if (!fs.existsSync(file)) return [];
  progress('looking at every page of the database');
  try {
    const damage = damageOf(file);
    return damage === null ? lookAtSchema(file) : [{ detail: `${file} (${damage})` }];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [unusable(error)];
  } finally {
    progress('');
  }
}

function lookAtSchema(file: string): Found[] {
  try {
    const store = openStoreReadOnly(file);
    const version = Number(store?.connection.get('PRAGMA user_version')?.user_version ?? schemaVersion);
    store?.close();
    if (version >= schemaVersion) return [];
    const detail = `schema ${version}, this memd writes ${schemaVersion}`;
    const sentence = 'the database is of an older memd; the next start keeps a copy and brings it forward';
    return [{ severity: 'note', sentence, detail, repair: 'run: memd restart', isFixable: false }];
  } catch (error) {
    if (isCorruption(error)) return [{ detail: `${file} (${messageOf(error)})` }];
    throw error;
  }
}

function unusable(failure: Failure): Found {
  const { code, what, repair } = failure;
  if (isBusy(failure)) {
    const sentence = 'another program holds the database locked: it could not be looked at';
    return { sentence, detail: what, repair: repair ?? 'run: memd doctor', isFixable: false };
  }
  const isNewer = code === 'newer_schema';
  return {
    sentence: isNewer ? 'the database is of a newer memd' : 'the database cannot be used',
    detail: what,
    repair: isNewer
      ? 'update this memd (or, to go back: docs/operations.md, "Going back"), then run: memd restart'
      : (repair ?? 'run: memd restart'),
    isFixable: code === 'bad_database' && repair?.includes('salvages') === true,
  };
}
