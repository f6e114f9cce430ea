import path from 'node:path';
import { jsonText, objectAt, own } from '../../core/event/index.ts';
import { pingTimeoutMs } from '../../core/limits.ts';
import { isUnsafePlace, messageOf, pause } from '../../core/platform/index.ts';
import type { Workspace } from '../../core/workspace/index.ts';
import { Alerts } from './alerts.ts';
import { exchange } from './exchange.ts';
import { HealthLog } from './health-log.ts';
import { type HealthLine, pingForHealth } from './ping.ts';

const monitorReplyCharsMax = 1024 * 1024;

export interface WatchOptions {
  readonly workspace: Workspace;
  readonly intervalMs: number;
  /** Ping once and write the line to `out` too. */
  readonly once: boolean;
  /** Add the workspace's key to each line, as `workspace`. */
  readonly withKey: boolean;
  /** The alert threshold of `counts.raw`; null for no alerts. */
  readonly rawMax: number | null;
  readonly stop: AbortSignal;
  readonly out: (text: string) => void;
  /** Writes a line to stderr. */
  readonly note: (text: string) => void;
  /** A monotonic clock; default `performance.now`. */
  readonly nowMs?: () => number;
}

/**
 * Pings immediately and then every interval until `stop`. Settles with whether all was well: with `once`, that the ping was
 * answered; else, that no alert began.
 * @throws Failure `unsafe_folder` or `unsafe_file` at the first line, and with `once` also `not_written`
 */
export async function watch(options: WatchOptions): Promise<boolean> {
  const { workspace, stop, intervalMs, rawMax, nowMs = () => performance.now() } = options;
  const keep = journalFor(options);
  const alarm = rawMax === null ? null : alarmFor(options, rawMax);
  let isWell = true;
  const startedMs = nowMs();
  for (let tick = 0; ; ) {
    const line = await pingForHealth(workspace.socket, stop);
    if (line === null) break;
    keep(line);
    if (options.once) return line.ok;
    if (await alarm?.(line, nowMs())) isWell = false;
    tick = nextTick(tick, nowMs() - startedMs, intervalMs);
    await pause(startedMs + tick * intervalMs - nowMs(), stop);
    if (stop.aborted) break;
  }
  return !options.once && isWell;
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
function journalFor({ workspace, withKey, once, out, note }: WatchOptions): (line: HealthLine) => void {
  const space = path.dirname(workspace.config);
  const log = new HealthLog([workspace.base, space], path.join(space, 'health.ndjson'));
  let trouble: string | null = null;
  let isFirst = true;
  return (line) => {
    const text = jsonText(withKey ? { ...line, workspace: workspace.key } : line);
    const wasFirst = isFirst;
    isFirst = false;
    try {
      log.append(text);
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

/** Reports alerts that begin or end; answers whether one began. */
function alarmFor({ workspace, stop, note }: WatchOptions, rawMax: number) {
  const alerts = new Alerts(rawMax);
  return async (line: HealthLine, atMs: number): Promise<boolean> => {
    const raw = line.ok ? await rawCount(workspace.socket, stop) : null;
    const changes = alerts.observe({ atMs, error: line.ok ? null : line.error, raw });
    for (const { isOn, text } of changes)
      note(`${isOn ? 'memd alert' : 'memd alert ended'}: ${workspace.key}: ${text}`);
    return changes.some(({ isOn }) => isOn);
  };
}

/** `counts.raw`; null without a reply in time. */
async function rawCount(socket: string, stop: AbortSignal): Promise<number | null> {
  const limits = { timeoutMs: pingTimeoutMs, replyCharsMax: monitorReplyCharsMax, stop };
  const result = await exchange(socket, { op: 'info' }, limits);
  const info = objectAt(result.ok ? result.reply : {}, 'info') ?? {};
  const raw = own(objectAt(info, 'counts') ?? {}, 'raw');
  return typeof raw === 'number' ? raw : null;
}
