import path from 'node:path';
import { loadConfig } from '#core/config';
import { homeOf } from '#core/workspace';
import { searchEverywhere } from '#service/everywhere';
import { workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import type { SearchOptions } from '../search-notes.ts';

/** Searches all projects of the namespace in this process: no daemon is asked or started. */
export async function askEverywhere(query: string, options: SearchOptions, io: Io) {
  const { namespace, config: file } = workspaceOf(io);
  const { number: topK, kind: kinds, why: _why, ...filter } = options;
  const { config } = loadConfig(file, io.env);
  const reply = await searchEverywhere(homeOf(io.env), namespace, { ...filter, query, topK, kinds }, config);
  for (const { workspace, reason } of reply.skipped)
    io.note(`not searched: ${path.basename(workspace)} (${workspace}): ${reason}`);
  return reply;
}
