import path from 'node:path';
import { isObject, type JsonObject, jsonText, objectAt, own } from '../../core/event/index.ts';
import { pingTimeoutMs } from '../../core/limits.ts';
import { isUnsafePlace, messageOf, pause } from '../../core/platform/index.ts';
import type { Environment, Workspace } from '../../core/workspace/index.ts';
import { Alerts } from './alerts.ts';
import { exchange } from './exchange.ts';
import { HealthLog } from './health-log.ts';
import { notify } from './notify.ts';
import { type HealthLine, pingForHealth } from './ping.ts';
import { nextTick } from './ticks.ts';

const monitorReplyCharsMax = 1024 * 1024;

export interface WatchOptions {
  readonly workspace: Workspace;
  readonly env: Environment;
  readonly intervalMs: number;
  /** One ping, its line also told to `out`. */
  readonly once: boolean;
  /** Whether each line also names the workspace's key, as `workspace`. */
  readonly withKey: boolean;
  /** The threshold of `counts.raw`, or null for no alerts. */
  readonly rawMax: number | null;
  readonly stop: AbortSignal;
  readonly out: (text: string) => void;
  /** For stderr, a line at a time. */
  readonly note: (text: string) => void;
  /** A clock that only runs forward; `performance.now` unless told. */
  readonly nowMs?: () => number;
}

/**
 * Pings at once and then every interval until `stop`, a line of `health.ndjson` each. Settles with whether all was well: with `once`
 * that the ping was answered, else that no alert has begun.
 * @throws Failure when there is no writing to the place (`unsafe_folder`, `unsafe_file`), or with `once` none at all
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
    await alarm?.look(line, nowMs());
    tick = nextTick(tick, nowMs() - startedMs, intervalMs);
    await pause(startedMs + tick * intervalMs - nowMs(), stop);
    if (stop.aborted) break;
  }
  return !options.once && alarm?.hasRung !== true;
}

/** Writes the lines, and tells once when that begins to fail and once when it goes again. */
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
      if (messageOf(error) !== this.#trouble) note(`memd monitor: ${messageOf(error)}; pinging goes on`);
      this.#trouble = messageOf(error);
      return;
    }
    if (this.#trouble !== null) note('memd monitor: health.ndjson is written again');
    this.#trouble = null;
    if (once) out(text);
  }
}

/** Applies the rules to each ping and tells what begins and ends. */
class Alarm {
  readonly #options: WatchOptions;
  readonly #alerts: Alerts;
  hasRung = false;

  constructor(options: WatchOptions, rawMax: number) {
    this.#options = options;
    this.#alerts = new Alerts(rawMax);
  }

  async look(line: HealthLine, atMs: number): Promise<void> {
    const { workspace, stop, note } = this.#options;
    const raw = line.ok ? await rawCount(workspace.socket, stop) : null;
    for (const { isOn, text } of this.#alerts.look({ atMs, error: line.ok ? null : line.error, raw })) {
      const title = isOn ? 'memd alert' : 'memd alert over';
      note(`${title}: ${workspace.key}: ${text}`);
      notify(`${title}: ${workspace.key}`, text, this.#options);
      this.hasRung ||= isOn;
    }
  }
}

/** `counts.raw`, or null when the daemon does not tell it in time. */
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
