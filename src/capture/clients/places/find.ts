import { findClaudeCode } from './claude-code.ts';
import { findCodex } from './codex.ts';
import { findCopilotCli } from './copilot-cli.ts';
import { findCursor } from './cursor.ts';
import { findGeminiCli } from './gemini-cli.ts';
import { findOpencode } from './opencode.ts';
import type { FoundTranscripts, SearchScope } from './place.ts';
import { findQwenCode } from './qwen-code.ts';

const finders: readonly ((scope: SearchScope) => Promise<FoundTranscripts>)[] = [
  findClaudeCode,
  findCodex,
  findGeminiCli,
  findQwenCode,
  findCopilotCli,
  findOpencode,
  findCursor,
];

/** A workspace's sessions of all assistants, the newest first, then by name. Links are not followed. */
export async function findSessions(scope: SearchScope): Promise<FoundTranscripts> {
  const known = new Map<string, boolean>();
  const belongs = (cwd: string): boolean => {
    let answer = known.get(cwd);
    if (answer === undefined) {
      answer = scope.belongs(cwd);
      known.set(cwd, answer);
    }
    return answer;
  };
  const found: FoundTranscripts[] = [];
  for (const find of finders) found.push(await find({ ...scope, belongs }));
  const transcripts = found.flatMap(({ transcripts }) => transcripts);
  return {
    transcripts: transcripts.sort((a, b) => b.ms - a.ms || (a.name < b.name ? -1 : 1)),
    unreadable: found.flatMap(({ unreadable }) => unreadable),
    close: () => {
      for (const { close } of found) close?.();
    },
  };
}
