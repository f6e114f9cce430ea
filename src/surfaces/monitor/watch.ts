import path from 'node:path';
import { jsonText } from '#core/event';
import { isUnsafePlace, messageOf, pause } from '#core/platform';
import type { Workspace } from '#core/workspace';
import { appendHealth } from './health-log.ts';
import { type HealthLine, pingForHealth } from './ping.ts';

export interface WatchOptions {
  readonly workspace: Workspace;
  readonly intervalMs: number;
  /** Ping once and write the line to `out` too. */
  readonly once: boolean;
  readonly stop: AbortSignal;
  readonly out: (text: string) => void;
  /** Writes a line to stderr. */
  readonly note: (text: string) => void;
  /** A monotonic clock; default `performance.now`. */
  readonly nowMs?: () => number;
}

/**
 * Pings immediately and then every interval until `stop`. Settles with whether all was well: with `once`, that the ping was answered.
 * @throws Failure `unsafe_folder` or `unsafe_file` at the first line, and with `once` also `not_written`
 */
export async function watch(options: WatchOptions): Promise<boolean> {
  const { workspace, stop, intervalMs, nowMs = () => performance.now() } = options;
  const keep = journalFor(options);
  const startedMs = nowMs();
  for (let tick = 0; ; ) {
    const line = await pingForHealth(workspace.socket, stop);
    if (line === null) break;
    keep(line);
    if (options.once) return line.ok;
    tick = nextTick(tick, nowMs() - startedMs, intervalMs);
    await pause(startedMs + tick * intervalMs - nowMs(), stop);
    if (stop.aborted) break;
  }
  return !options.once;
}

/**
 * The number of the next tick, `elapsedMs` after tick 0. Ticks are on a grid, so slow pings do not shift them; missed ticks (a
 * machine that slept) are skipped.
 */
export function nextTick(last: number, elapsedMs: number, intervalMs: number): number {
  // A timer may fire a little early.
  return Math.max(last + 1, Math.ceil(elapsedMs / intervalMs));
}

/** Writes the lines. Reports once when writing fails and once when it works again. */
function journalFor({ workspace, once, out, note }: WatchOptions): (line: HealthLine) => void {
  const space = path.dirname(workspace.config);
  let trouble: string | null = null;
  let isFirst = true;
  return (line) => {
    const text = jsonText(line);
    const wasFirst = isFirst;
    isFirst = false;
    try {
      appendHealth([workspace.base, space], path.join(space, 'health.ndjson'), text);
    } catch (error) {
      if (once || (wasFirst && isUnsafePlace(error))) throw error;
      if (messageOf(error) !== trouble) note(`memd monitor: ${messageOf(error)}; pings continue`);
      trouble = messageOf(error);
      return;
    }
    if (trouble !== null) note('memd monitor: health.ndjson is writable again');
    trouble = null;
    if (once) out(text);
  };
}
