import { orElse } from '#core/platform';
import { readDatabase } from '#memory/store';
import type { Traces, WorkspaceTraces } from './traces.ts';

export type MemoryAmount = Readonly<ReturnType<typeof memoryIn>>;

export function memoryIn({ base, workspaces }: Traces) {
  const counted = workspaces
    .map((one) => ({ bytes: keptBytes(one), memories: memoriesOf(one) }))
    .filter(({ bytes }) => bytes > 0);
  return {
    folder: base,
    /** With anything stored, counted per namespace. */
    projects: counted.length,
    memories: counted.reduce((sum, { memories }) => sum + (memories ?? 0), 0),
    /** Databases that cannot be read, so `memories` lacks theirs. */
    unreadable: counted.filter(({ memories }) => memories === null).length,
    bytes: counted.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

function keptBytes({ workspace, traces }: WorkspaceTraces): number {
  return traces
    .filter(({ file, worth }) => worth === 'kept' && file !== workspace.rootRecord)
    .reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Null for a database that is damaged or has a newer schema. */
function memoriesOf({ workspace, traces }: WorkspaceTraces): number | null {
  // A link is not followed.
  if (!traces.some(({ file }) => file === workspace.database)) return 0;
  // One that cannot be read is kept or deleted like any other, and counted as unreadable.
  return orElse(() => readDatabase(workspace.database, ({ stats }) => stats.counts().summaries) ?? 0, null);
}
