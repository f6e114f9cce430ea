import path from 'node:path';
import { isObject, type Json, own, stringAt } from '#core/event';
import {
  type FoundTranscript,
  findByFolderName,
  folderOf,
  jsonIn,
  linesOf,
  notRecords,
  objectIn,
  type Places,
  type SearchScope,
  transcriptNames,
} from '../form/index.ts';
import { projectNames, projectPrefix } from './folders.ts';

const dayMs = 24 * 3600 * 1000;
const cleanupDaysDefault = 30;
const soonDays = 7;

/**
 * Claude Code: `projects/<path>/<session>.jsonl` below `~/.claude` (`CLAUDE_CONFIG_DIR`), subagents in folders next to
 * it (recorded with 2.1.329); and `history.jsonl`, which has the prompts of sessions whose transcripts it has removed.
 */
export const places: Places = async function* (scope) {
  const home = folderOf(scope, 'CLAUDE_CONFIG_DIR', '.claude');
  const sessions: FoundTranscript[] = [];
  const found = findByFolderName(scope, {
    projects: path.join(home, 'projects'),
    names: projectNames(scope.root),
    prefix: projectPrefix(scope.root),
    within: '.',
    files: transcriptNames,
    without: notRecords,
  });
  for await (const one of found) {
    if (!path.basename(one.name).startsWith('agent-')) sessions.push(one);
    yield one;
  }
  yield* historyOf(scope, path.join(home, 'history.jsonl'), sessions);
  scope.notes.push(...cleanupNote(home, sessions));
};

/** The prompts of this project's sessions that have no transcript. */
async function* historyOf(
  scope: SearchScope,
  file: string,
  sessions: readonly FoundTranscript[],
): AsyncGenerator<FoundTranscript> {
  const kept = new Set(sessions.map(({ name }) => path.basename(name).split('.')[0]));
  const lost = (record: Json | undefined): record is Json => {
    const [project, session] = isObject(record)
      ? [stringAt(record, 'project') ?? '', stringAt(record, 'sessionId') ?? '']
      : ['', ''];
    return project !== '' && !kept.has(session) && scope.belongs(project, 0);
  };
  async function* prompts(): AsyncGenerator<Json> {
    for await (const lines of linesOf(file))
      for (const { bytes } of lines) {
        const record = bytes === null ? undefined : jsonIn(bytes);
        if (lost(record)) yield record;
      }
  }
  let count = 0;
  const without = new Set<string>();
  try {
    for await (const record of prompts()) {
      count += 1;
      without.add(isObject(record) ? (stringAt(record, 'sessionId') ?? '') : '');
    }
  } catch {
    // Most often there is no such file; reading it again would say why.
  }
  if (count === 0) return;
  const [prompt, session] = [count === 1 ? 'prompt' : 'prompts', without.size === 1 ? 'session' : 'sessions'];
  scope.notes.push(
    `history.jsonl: ${count} ${prompt} of ${without.size} ${session} without a transcript; those that are new are kept, marked as rescued.`,
  );
  // Behind the transcripts: what they have is known by then.
  yield { name: file, ms: 0, records: prompts };
}

/** Claude Code removes transcripts some time after their last change. */
function cleanupNote(home: string, sessions: readonly FoundTranscript[]): readonly string[] {
  const set = own(objectIn(path.join(home, 'settings.json')) ?? {}, 'cleanupPeriodDays');
  const days = typeof set === 'number' ? set : cleanupDaysDefault;
  const due = Date.now() - Math.max(0, days - soonDays) * dayMs;
  const next = sessions.filter(({ ms }) => ms < due).length;
  if (next === 0) return [];
  const which = next === 1 ? 'that of 1 of these sessions goes' : `those of ${next} of these sessions go`;
  return [
    `Claude Code removes transcripts after ${days} days (cleanupPeriodDays): ${which} within ${soonDays} days. memd keeps them.`,
  ];
}
