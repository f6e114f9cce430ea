import { openStoreReadOnly } from '../../memory/store/index.ts';
import type { Traces, WorkspaceTraces } from './traces.ts';

/** How much would be lost. */
export interface Memory {
  readonly folder: string;
  /** Projects of which anything is remembered, counted once a namespace. */
  readonly projects: number;
  readonly memories: number;
  /** Databases that cannot be read, and are not counted in `memories`. */
  readonly unreadable: number;
  readonly bytes: number;
}

/** What is kept below `~/.memd`, as the disk has it now. */
export function memoryIn({ base, workspaces }: Traces): Memory {
  const counted = workspaces
    .map((one) => ({ bytes: keptBytes(one), memories: memoriesOf(one) }))
    .filter(({ bytes }) => bytes > 0);
  return {
    folder: base,
    projects: counted.length,
    memories: counted.reduce((sum, { memories }) => sum + (memories ?? 0), 0),
    unreadable: counted.filter(({ memories }) => memories === null).length,
    bytes: counted.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

function keptBytes({ workspace, traces }: WorkspaceTraces): number {
  return traces
    .filter(({ file, worth }) => worth === 'kept' && file !== workspace.rootRecord)
    .reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Null for a database that is damaged, or of a newer version. */
function memoriesOf({ workspace, traces }: WorkspaceTraces): number | null {
  // A link in its place is not followed.
  if (!traces.some(({ file }) => file === workspace.database)) return 0;
  try {
    const store = openStoreReadOnly(workspace.database);
    try {
      return store?.stats.counts().summaries ?? 0;
    } finally {
      store?.close();
    }
  } catch {
    // Damaged, or written by a newer memd: it is kept or deleted all the same, and told of.
    return null;
  }
}
