import fs from 'node:fs';
import path from 'node:path';
import { type Json, type JsonObject, objectAt, own, stringAt } from '#core/event';
import { messageOf } from '#core/platform';
import { filesBelow, listing, writtenMs } from '../below.ts';
import { objectIn } from '../head.ts';
import { unreadable as unreadableTranscript } from '../lines.ts';
import { type FoundTranscript, folderOf, type Places, type SearchScope } from '../place.ts';
import type { OpencodeDatabase, StoredSession } from './database.ts';
import { openOpencode } from './process.ts';

/**
 * OpenCode: `opencode.db` and `opencode-<channel>.db` (`OPENCODE_DB`) below `~/.local/share/opencode` (that of
 * `XDG_DATA_HOME`), Kilo the same under its name; and before that `storage/{session,message,part}`, a JSON file each message and part (from public
 * sources; the calls are those of its plugin, recorded with 1.18.33). A session counts as one transcript.
 */
export const opencodePlaces = (name: string): Places =>
  async function* (scope) {
    const data = path.join(folderOf(scope, 'XDG_DATA_HOME', '.local', 'share'), name);
    const { unreadable } = scope;
    let second = 0;
    const stored = new Set<string>();
    for (const file of databases(scope, data, name)) {
      const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (size > (scope.databaseBytesMax ?? Number.POSITIVE_INFINITY)) continue;
      try {
        const database = await openOpencode(file);
        scope.closers.push(() => database.close());
        for (const session of database.sessions()) {
          if (stored.has(session.id)) continue;
          stored.add(session.id);
          if (!scope.belongs(session.directory)) continue;
          if (session.isSecond) second += 1;
          yield found(`${file}#${session.id}`, session, (name) => readable(name, database.records(session)));
        }
      } catch (error) {
        unreadable.push(`the sessions in ${file} cannot be read: ${messageOf(error)}`);
      }
    }
    for (const file of filesBelow(path.join(data, 'storage', 'session'), jsonFiles, unreadable)) {
      const session = sessionIn(file);
      // OpenCode imports the files into its database and keeps them.
      if (session === null || stored.has(session.id) || !scope.belongs(session.directory)) continue;
      yield found(file, session, () => recordsOf(path.join(data, 'storage'), session));
    }
    if (second === 0) return;
    scope.notes.push(
      `OpenCode 2: ${second === 1 ? '1 session is' : `${second} sessions are`} read by public descriptions of its tables, not tested with OpenCode 2 itself.`,
    );
  };

function databases(scope: SearchScope, data: string, name: string): readonly string[] {
  const named = scope.env[`${name.toUpperCase()}_DB`] ?? '';
  const its = new RegExp(`^${name}(-[\\w.-]+)?\\.db$`);
  const usual = listing(data).files.filter((file) => its.test(path.basename(file)));
  if (named === '' || named === ':memory:') return usual;
  return [...new Set([path.resolve(data, named), ...usual])];
}

function found(
  name: string,
  { id: session, directory: cwd, ms }: StoredSession,
  records: (name: string) => Iterable<Json> | AsyncIterable<Json>,
): FoundTranscript {
  return { name, ms, cwd, session, records: () => records(name) };
}

/** With an error of SQLite or of its process as a Failure. */
async function* readable(
  name: string,
  records: ReturnType<OpencodeDatabase['records']>,
): AsyncGenerator<Json> {
  try {
    yield* records;
  } catch (error) {
    throw unreadableTranscript(name, error);
  }
}

const jsonFiles = /\.json$/;

function sessionIn(file: string): StoredSession | null {
  const info = objectIn(file);
  const directory = info === null ? undefined : stringAt(info, 'directory');
  if (info === null || directory === undefined) return null;
  const updated = own(objectAt(info, 'time') ?? {}, 'updated');
  return {
    // After migrations the file's name is the id, not the content.
    id: path.basename(file, '.json'),
    directory,
    startedBy: stringAt(info, 'parentID') ?? null,
    ms: typeof updated === 'number' ? updated : writtenMs(file),
  };
}

/** A session's parts, by the names of their messages and then by their own: those grow with time. */
function* recordsOf(storage: string, { id, startedBy }: StoredSession): Generator<Json> {
  for (const message of listing(path.join(storage, 'message', id)).files) {
    const info = objectIn(message) ?? {};
    const ms = own(objectAt(info, 'time') ?? {}, 'created') ?? null;
    const parts = listing(path.join(storage, 'part', path.basename(message, '.json'))).files;
    for (const file of parts) {
      const part: JsonObject | null = objectIn(file);
      const role = stringAt(info, 'role') ?? '';
      const ids = {
        message: path.basename(message, '.json'),
        partId: path.basename(file, '.json'),
        parent: own(info, 'parentID') ?? null,
      };
      yield part === null ? null : { opencode: 'part', session: id, role, startedBy, ms, ...ids, part };
    }
  }
}
