import type { DaemonLink } from './daemon-link.ts';

const kept = 500;

/** The last query that found a memory, for each client: `mem_get` begins with the passage that answers it. */
const queries = new WeakMap<DaemonLink, Map<number, string>>();

export function rememberQuery(daemon: DaemonLink, ids: readonly number[], query: string): void {
  const known = queries.get(daemon) ?? new Map<number, string>();
  queries.set(daemon, known);
  if (known.size > kept) known.clear();
  for (const id of ids) known.set(id, query);
}

export function queryFor(daemon: DaemonLink, id: number): string {
  return queries.get(daemon)?.get(id) ?? '';
}
