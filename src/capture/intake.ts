import { adapt } from '../clients/index.ts';
import { isObject, type JsonObject, own, stringAt, type ToolEvent } from '../event/index.ts';
import { captureQueueBytesMax, captureQueueMax, logBytesMax } from '../limits.ts';
import type { WriteAheadLog } from '../log/index.ts';
import { Failure, messageOf } from '../platform/index.ts';
import type { Committer, Report } from './committer.ts';
import { prepare } from './prepare.ts';
import type { TakenIn } from './take-in.ts';

/** What has come in since the daemon started. */
export interface CaptureCounters {
  captured: number;
  ignored: number;
  refused: number;
  redacted: number;
  /** Taken in from the spool, and lost because it was full. */
  spooled: number;
  dropped: number;
}

export interface IntakeOptions {
  readonly log: WriteAheadLog;
  readonly committer: Committer;
  readonly report: Report;
}

/**
 * A captured tool call's way to its acknowledgement: adapt, redact, cut, identify, log. Nothing is written
 * before it is redacted, and nothing is acknowledged before it is on the disk.
 */
export class Intake {
  readonly counters: CaptureCounters = {
    captured: 0,
    ignored: 0,
    refused: 0,
    redacted: 0,
    spooled: 0,
    dropped: 0,
  };
  readonly #options: IntakeOptions;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /**
   * The `capture` op: `{tool, input, output, ...}`, or `{payload, client?, receivedAt?}` with a client's own
   * payload as the hook got it. @throws Failure
   */
  async capture(request: JsonObject): Promise<JsonObject> {
    const adapted = adapt(payloadOf(request), {
      ...(stringAt(request, 'client') === undefined ? {} : { client: stringAt(request, 'client') ?? '' }),
      receivedAt: stringAt(request, 'receivedAt') ?? new Date().toISOString(),
      cwd: stringAt(request, 'cwd') ?? null,
    });
    if (adapted.kind === 'ignored') {
      this.counters.ignored += 1;
      return { id: null, ignored: adapted.reason };
    }
    const { event, redactions } = prepare(adapted.observation);
    this.counters.redacted += redactions;
    await this.#store(event);
    return { id: event.id };
  }

  /** Counts what hooks had kept while there was nobody to take it. */
  tookIn({ events, dropped }: TakenIn): void {
    this.counters.spooled += events;
    this.counters.dropped += dropped;
  }

  /** Settles when what was captured before is in the database, where every other op looks. */
  flush(): Promise<void> {
    return this.#options.committer.flush();
  }

  async #store(event: ToolEvent): Promise<void> {
    const { log, committer, report } = this.#options;
    if (log.waiting >= captureQueueMax || log.bytes >= Math.min(logBytesMax, captureQueueBytesMax)) {
      this.counters.refused += 1;
      throw new Failure('busy', 'too many captures wait for the disk; this one was not stored');
    }
    let end: number;
    try {
      end = await log.append(event);
    } catch (error) {
      this.counters.refused += 1;
      report('capture refused: the log cannot be written', { error: messageOf(error) });
      throw new Failure('unavailable', `the capture was not stored: ${messageOf(error)}`);
    }
    this.counters.captured += 1;
    committer.push(event, end);
  }
}

/** @throws Failure when the request has neither form */
function payloadOf(request: JsonObject): JsonObject {
  const payload = own(request, 'payload');
  if (payload !== undefined && own(request, 'tool') === undefined) {
    if (isObject(payload)) return payload;
    throw new Failure('bad_request', 'capture: payload must be an object');
  }
  if (stringAt(request, 'tool')) return request;
  throw new Failure('bad_request', 'capture: tool must be a text that is not empty');
}
