import fs from 'node:fs';
import path from 'node:path';
import { findClaudeCode } from './claude-code.ts';
import { findCodex } from './codex.ts';
import { findCopilotCli } from './copilot-cli.ts';
import { findCursor } from './cursor.ts';
import { findGeminiCli } from './gemini-cli.ts';
import { findOpencode } from './opencode.ts';
import type { FoundTranscript, FoundTranscripts, SearchScope } from './place.ts';
import { findQwenCode } from './qwen-code.ts';

const goneNamedMax = 3;

const finders: readonly ((scope: SearchScope) => Promise<FoundTranscripts>)[] = [
  findClaudeCode,
  findCodex,
  findGeminiCli,
  findQwenCode,
  findCopilotCli,
  findOpencode,
  findCursor,
];

/** A folder that no longer exists, next to the project or named after it: perhaps a worktree of it. */
function isGoneNear(root: string, cwd: string): boolean {
  const isNear = cwd.startsWith(`${path.dirname(root)}/`) || cwd.includes(path.basename(root));
  return path.isAbsolute(cwd) && isNear && !fs.existsSync(cwd);
}

function goneNote(gone: ReadonlyMap<string, number>): readonly string[] {
  const sessions = [...gone.values()].reduce((sum, count) => sum + count, 0);
  if (sessions === 0) return [];
  const folders = [...gone.keys()].slice(0, goneNamedMax).join(', ');
  const more = gone.size > goneNamedMax ? ` and ${gone.size - goneNamedMax} more` : '';
  const began = sessions === 1 ? '1 session that began' : `${sessions} sessions that began`;
  const which = gone.size === 1 ? 'a folder that no longer exists' : 'folders that no longer exist';
  return [
    `Not imported: ${began} in ${which} (${folders}${more}). If it was a worktree of this project, run: memd backfill --from FOLDER-OF-ITS-TRANSCRIPTS`,
  ];
}

/** The newest first, then by name; but a session before its forks, which repeat it. */
function ordered(transcripts: readonly FoundTranscript[]): readonly FoundTranscript[] {
  const families = new Map<string, FoundTranscript[]>();
  for (const one of transcripts) {
    const id = one.family?.id ?? one.name;
    families.set(id, [...(families.get(id) ?? []), one]);
  }
  const newest = ([, family]: [string, readonly FoundTranscript[]]): number =>
    Math.max(...family.map(({ ms }) => ms));
  const begun = ({ family, ms }: FoundTranscript): number => family?.begunMs ?? ms;
  return [...families]
    .sort((a, b) => newest(b) - newest(a) || ((a[1][0]?.name ?? '') < (b[1][0]?.name ?? '') ? -1 : 1))
    .flatMap(([, family]) => family.sort((a, b) => begun(a) - begun(b)));
}

/** A workspace's sessions of all assistants, the newest first, then by name. Links are not followed. */
export async function findSessions(scope: SearchScope): Promise<FoundTranscripts> {
  const known = new Map<string, boolean>();
  const gone = new Map<string, number>();
  const belongs = (cwd: string, sessions = 1): boolean => {
    const answer = known.get(cwd) ?? scope.belongs(cwd);
    if (!known.has(cwd) && !answer && isGoneNear(scope.root, cwd)) gone.set(cwd, 0);
    known.set(cwd, answer);
    if (gone.has(cwd)) gone.set(cwd, (gone.get(cwd) ?? 0) + sessions);
    return answer;
  };
  const found: FoundTranscripts[] = [];
  for (const find of finders) found.push(await find({ ...scope, belongs }));
  const transcripts = found.flatMap(({ transcripts }) => transcripts);
  return {
    transcripts: ordered(transcripts),
    unreadable: found.flatMap(({ unreadable }) => unreadable),
    notes: [...found.flatMap(({ notes = [] }) => notes), ...goneNote(gone)],
    close: () => {
      for (const { close } of found) close?.();
    },
  };
}
