import { claudeCodePlace } from './claude-code.ts';
import { codexPlace } from './codex.ts';
import { copilotCliPlace } from './copilot-cli.ts';
import { cursorPlace } from './cursor.ts';
import { geminiCliPlace } from './gemini-cli.ts';
import { opencodePlace } from './opencode.ts';
import type { FoundTranscript, Place, Whose } from './place.ts';
import { qwenCodePlace } from './qwen-code.ts';

const places: readonly ((whose: Whose) => Promise<Place>)[] = [
  claudeCodePlace,
  codexPlace,
  geminiCliPlace,
  qwenCodePlace,
  copilotCliPlace,
  opencodePlace,
  cursorPlace,
];

export interface Found {
  /** The newest first; of two of one time, the one whose name comes first. */
  readonly transcripts: readonly FoundTranscript[];
  /** Places that could not be looked into, each in a line. */
  readonly unreadable: readonly string[];
  /** To be called when all is read. */
  readonly close: () => void;
}

/** What all assistants have left of a workspace's sessions. Links within their folders are not followed. */
export async function findSessions(whose: Whose): Promise<Found> {
  const known = new Map<string, boolean>();
  const belongs = (cwd: string): boolean => {
    let answer = known.get(cwd);
    if (answer === undefined) {
      answer = whose.belongs(cwd);
      known.set(cwd, answer);
    }
    return answer;
  };
  const found: Place[] = [];
  for (const place of places) found.push(await place({ ...whose, belongs }));
  const transcripts = found.flatMap((place) => place.transcripts);
  return {
    transcripts: transcripts.sort((a, b) => b.ms - a.ms || (a.name < b.name ? -1 : 1)),
    unreadable: found.flatMap((place) => place.unreadable),
    close: () => {
      for (const place of found) place.close?.();
    },
  };
}
