import fs from 'node:fs';
import { Failure, messageOf } from '#core/platform';
import { damageOf, isBusy, isCorruption, openStore, readDatabase, schemaVersion } from '#memory/store';
import { type Check, type Context, noted, type Problem } from './check.ts';

/** Whether every page of the database is readable and its schema known. */
export const database: Check = {
  code: 'database',
  severity: 'error',
  sentence: 'the database is damaged',
  repair: 'run `memd doctor --fix` (it keeps the file under another name and salvages what is readable)',
  run: checkDatabase,
  fix: {
    needsStop: true,
    done: 'it was set aside; what is readable is in a new database',
    run: async ({ workspace }) => openStore(workspace.database, { repair: true, suspect: true }).close(),
  },
  blocksStart: true,
};

async function checkDatabase({ workspace: { database: file }, progress }: Context): Promise<Problem[]> {
  if (!fs.existsSync(file)) return [];
  progress('checking every page of the database');
  try {
    const damage = damageOf(file);
    return damage === null ? checkSchema(file) : [{ detail: `${file} (${damage})` }];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [unusable(error)];
  }
}

function checkSchema(file: string): Problem[] {
  try {
    const read = readDatabase(file, ({ connection }) => connection.get('PRAGMA user_version'));
    const version = Number(read?.user_version ?? schemaVersion);
    if (version >= schemaVersion) return [];
    const detail = `it has schema ${version}, this memd writes ${schemaVersion}`;
    const sentence = 'an older memd wrote the database; the next start keeps a copy and migrates it';
    return [noted(sentence, detail, 'run `memd restart`')];
  } catch (error) {
    if (isCorruption(error)) return [{ detail: `${file} (${messageOf(error)})` }];
    throw error;
  }
}

function unusable(failure: Failure): Problem {
  const { code, what, repair } = failure;
  if (isBusy(failure)) {
    const sentence = 'another program has locked the database, so it was not checked';
    return { sentence, detail: what, repair: repair ?? 'run `memd doctor`', isFixable: false };
  }
  const isNewer = code === 'newer_schema';
  return {
    sentence: isNewer ? 'a newer memd wrote the database' : 'the database cannot be used',
    detail: what,
    repair: isNewer
      ? 'update this memd, then run `memd restart` (to go back: docs/operations.md)'
      : (repair ?? 'run `memd restart`'),
    isFixable: code === 'bad_database' && repair?.includes('salvages') === true,
  };
}
