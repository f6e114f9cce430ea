import { homeOf } from '../../core/workspace/index.ts';
import { lastCaptures } from '../../memory/store/index.ts';
import { transcriptsOf } from '../../service/backfill/index.ts';
import type { Check, Found, Looked } from './check.ts';
import { fromStore } from './from-store.ts';
import { some } from './words.ts';

/** What assistants have left of this project's sessions, and whether any of it is in the memory. */
export const transcripts: Check = {
  code: 'transcripts',
  severity: 'note',
  sentence: 'earlier sessions of an assistant can be taken in',
  repair: 'run: memd backfill',
  look,
  fix: null,
};

async function look({ workspace, env, progress }: Looked): Promise<Found[]> {
  progress('looking for transcripts');
  const found = await transcriptsOf({ root: workspace.root, home: homeOf(env), env });
  found.close?.();
  progress('');
  const captured = fromStore(workspace, lastCaptures) ?? new Map<string, string>();
  const counts = new Map<string, number>();
  for (const { client } of found.transcripts) counts.set(client, (counts.get(client) ?? 0) + 1);
  return [
    ...[...counts].map(([client, count]) => lookAtClient(client, count, captured.has(client))),
    ...unreadable(found.unreadable),
  ].flat();
}

/** One whose calls are in the memory, from its hooks or its transcripts, needs no word. */
function lookAtClient(client: string, count: number, isCaptured: boolean): Found[] {
  if (isCaptured) return [];
  return [{ detail: `${client}: ${count} transcript${count === 1 ? '' : 's'}, and no call of it is stored` }];
}

function unreadable(places: readonly string[]): Found[] {
  if (places.length === 0) return [];
  const sentence = 'transcripts cannot be looked for everywhere';
  return [{ sentence, detail: some(places), repair: 'make them readable, then run: memd backfill' }];
}
