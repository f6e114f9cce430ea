import path from 'node:path';
import { loadConfig } from '../../../core/config/index.ts';
import { jsonText } from '../../../core/event/index.ts';
import { homeOf } from '../../../core/workspace/index.ts';
import { searchEverywhere } from '../../../service/everywhere/index.ts';
import { workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import type { HitReply } from '../replies.ts';
import { type SearchOptions, showNotes } from '../search-notes.ts';
import { hitsLines } from '../show-hits.ts';
import { shortLine } from '../show-log.ts';
import { inLine } from '../words.ts';

/** Searches all projects of the namespace in this process: no daemon is asked or started. */
export async function showEverywhere(query: string, options: SearchOptions, io: Io): Promise<void> {
  const { namespace, config: file } = workspaceOf(io);
  const { number: topK, kind: kinds, json, why: _why, ...filter } = options;
  const { config } = loadConfig(file, io.env);
  const reply = await searchEverywhere(homeOf(io.env), namespace, { ...filter, query, topK, kinds }, config);
  const { hits, skipped, searched: _searched, ...limits } = reply;
  if (json) io.out(jsonText(reply, 2));
  for (const { workspace, reason } of skipped)
    io.note(`not searched: ${path.basename(workspace)} (${workspace}): ${reason}`);
  showNotes(query, hits.length, limits, options, io);
  if (json || hits.length === 0) return;
  io.out(options.oneline ? hits.map((hit) => lineOf(hit, io)).join('\n') : hitsLines(hits, query, io));
}

/** With the name of its project. */
function lineOf(hit: HitReply, io: Io): string {
  const where = hit.workspace === undefined ? '' : `  ${inLine(path.basename(hit.workspace))}`;
  return `${shortLine(hit, { ...io, columns: io.columns - where.length })}${io.style('green', where)}`;
}
