import path from 'node:path';
import { isObject, type JsonObject, jsonText, objectAt, own } from '../../core/event/index.ts';
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
  const { workspace, stop, intervalMs, nowMs = () => performance.now() } = options;
  const journal = new Journal(options);
  const alarm = options.rawMax === null ? null : new Alarm(options, options.rawMax);
  const startedMs = nowMs();
  for (let tick = 0; ; ) {
    const line = await pingForHealth(workspace.socket, stop);
    if (line === null) break;
    journal.keep(line);
    if (options.once) return line.ok;
    await alarm?.observe(line, nowMs());
    tick = nextTick(tick, nowMs() - startedMs, intervalMs);
    await pause(startedMs + tick * intervalMs - nowMs(), stop);
    if (stop.aborted) break;
  }
  return !options.once && alarm?.hasBegun !== true;
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
class Journal {
  readonly #options: WatchOptions;
  readonly #log: HealthLog;
  #trouble: string | null = null;
  #isFirst = true;

  constructor(options: WatchOptions) {
    const { base, config } = options.workspace;
    const space = path.dirname(config);
    this.#options = options;
    this.#log = new HealthLog([base, space], path.join(space, 'health.ndjson'));
  }

  keep(line: HealthLine): void {
    const { withKey, once, workspace, out, note } = this.#options;
    const text = jsonText(withKey ? { ...line, workspace: workspace.key } : line);
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    try {
      this.#log.append(text);
    } catch (error) {
      if (once || (isFirst && isUnsafePlace(error))) throw error;
      if (messageOf(error) !== this.#trouble) note(`memd monitor: ${messageOf(error)}; pings continue`);
      this.#trouble = messageOf(error);
      return;
    }
    if (this.#trouble !== null) note('memd monitor: health.ndjson is writable again');
    this.#trouble = null;
    if (once) out(text);
  }
}

/** Reports alerts that begin or end. */
class Alarm {
  readonly #options: WatchOptions;
  readonly #alerts: Alerts;
  hasBegun = false;

  constructor(options: WatchOptions, rawMax: number) {
    this.#options = options;
    this.#alerts = new Alerts(rawMax);
  }

  async observe(line: HealthLine, atMs: number): Promise<void> {
    const { workspace, stop, note } = this.#options;
    const raw = line.ok ? await rawCount(workspace.socket, stop) : null;
    for (const { isOn, text } of this.#alerts.observe({ atMs, error: line.ok ? null : line.error, raw })) {
      const title = isOn ? 'memd alert' : 'memd alert ended';
      note(`${title}: ${workspace.key}: ${text}`);
      this.hasBegun ||= isOn;
    }
  }
}

/** `counts.raw`; null without a reply in time. */
async function rawCount(socket: string, stop: AbortSignal): Promise<number | null> {
  const limits = { timeoutMs: pingTimeoutMs, replyCharsMax: monitorReplyCharsMax, stop };
  const result = await exchange(socket, { op: 'info' }, limits);
  const counts = result.ok ? countsOf(result.reply) : undefined;
  const raw = counts === undefined ? undefined : own(counts, 'raw');
  return typeof raw === 'number' ? raw : null;
}

function countsOf(reply: JsonObject): JsonObject | undefined {
  const info = own(reply, 'info');
  return isObject(info) ? objectAt(info, 'counts') : undefined;
}
