import type { TranscriptNotice } from '#capture/clients';
import type { Report, WriteAheadLog } from '#capture/log';
import { endNoticeTool, type Json, type JsonObject, type ToolEvent } from '#core/event';
import { captureInlineBytesMax } from '#core/limits';
import { Failure, inSentences, messageOf, systemRepair } from '#core/platform';
import { type LargeRead, parseRequest, type RequestFrame } from '#core/rpc';
import { redactText } from '#redact/engine';
import type { Committer } from './committer.ts';
import type { DrainedSpool } from './drain-spool.ts';
import { type ReadCapture, readCapture } from './read-capture.ts';
import type { CaptureThread } from './thread.ts';

const captureInlineValuesMax = 1_000;
// Capture
const captureQueueMax = 2_048;
// Log
const logBytesMax = 64 * 1024 * 1024;

export interface IntakeOptions {
  readonly log: WriteAheadLog;
  readonly committer: Committer;
  /** Whether messages are stored (`capture.messages`); true by default. */
  readonly messages?: boolean;
  /** Reads what is too large for the socket's thread. */
  readonly thread: CaptureThread;
  readonly report: Report;
  /** Called when a hook shows that a transcript has more to read. */
  readonly grown?: (notice: TranscriptNotice) => unknown;
  /** Called when a hook reports a call of memd's own tools, which is not stored. */
  readonly ownTool?: (call: { readonly sessionId: string; readonly kind: string }) => unknown;
}

/** Adapts, redacts, cuts, identifies and logs captures, then acknowledges them. */
export class Intake {
  /** Since the daemon started. `spooled`, `dropped`: imported from the spool, and lost because it was full. */
  readonly counters = { captured: 0, ignored: 0, refused: 0, redacted: 0, spooled: 0, dropped: 0 };
  readonly #options: IntakeOptions;
  /** Why and since when the log cannot be written, and how many calls were refused; null when it can. */
  #refusal: { readonly since: string; readonly why: string; count: number } | null = null;

  constructor(options: IntakeOptions) {
    this.#options = options;
    // Compiles the rules now, not during the first capture.
    redactText('');
  }

  /** The `capture` op (see `readCapture`). `frame` is the request as received. @throws Failure */
  async capture(request: JsonObject, frame?: RequestFrame): Promise<JsonObject> {
    if (frame === undefined || isCheap(frame))
      return this.#keep(await this.#read(() => readCapture(request)));
    const read = await this.takeFrame(new Uint8Array(frame.bytes), () => {});
    return 'reply' in read ? read.reply : read.request;
  }

  /** A `capture` request by its bytes, which may move to another thread. @throws Failure */
  async captureFrame(frame: RequestFrame): Promise<'call' | 'message' | 'ignored'> {
    const read = await this.#read(() =>
      isCheap(frame)
        ? readCapture(parseRequest(Buffer.from(frame.bytes)))
        : this.#options.thread.read(new Uint8Array(frame.bytes), () => {}),
    );
    if (read.kind === 'request') throw new Failure('bad_request', 'not a capture');
    const { id } = await this.#keep(read);
    if (id === null || read.kind === 'ignored') return 'ignored';
    return read.event.message === undefined ? 'call' : 'message';
  }

  /**
   * Reads a request from the bytes of its frame, and takes over their memory. Does a `capture`; returns the request of another
   * op, made small. @throws Failure
   */
  async takeFrame(frame: Uint8Array, onRid: (rid: Json) => void): Promise<LargeRead> {
    const read = await this.#read(() => this.#options.thread.read(frame, onRid));
    return read.kind === 'request' ? { request: read.request } : { reply: await this.#keep(read) };
  }

  /** Counts what was imported from the spool. */
  imported({ events, dropped }: DrainedSpool): void {
    this.counters.spooled += events;
    this.counters.dropped += dropped;
  }

  /** The problems with captures since the daemon started, each with its repair. */
  warnings(): readonly string[] {
    const { dropped } = this.counters;
    const lost = `${dropped} tool calls are lost: no daemon took them, and the spool or the disk was full. Run \`memd start\` before the next session.`;
    const { trouble } = this.#options.committer;
    return [
      ...(this.#refusal === null ? [] : [refusedWords(this.#refusal)]),
      ...(trouble === null ? [] : [waitingWords(trouble)]),
      ...(dropped > 0 ? [lost] : []),
    ];
  }

  /** Settles when all earlier captures are in the database. */
  flush(): Promise<void> {
    return this.#options.committer.flush();
  }

  async #read<T>(reading: () => T | Promise<T>): Promise<T> {
    try {
      return await reading();
    } catch (error) {
      this.counters.refused += 1;
      throw error;
    }
  }

  async #keep(read: ReadCapture): Promise<JsonObject> {
    const reply = await this.#keepEvent(read);
    if (read.transcript !== undefined) this.#options.grown?.(read.transcript);
    return reply;
  }

  async #keepEvent(read: ReadCapture): Promise<JsonObject> {
    if (read.kind === 'ignored') {
      this.counters.ignored += 1;
      const { sessionId, tool = '' } = read;
      if (tool !== '' && sessionId !== '') this.#options.ownTool?.({ sessionId, kind: tool });
      return { id: null, ignored: read.reason };
    }
    if (read.event.message !== undefined && this.#options.messages === false) {
      this.counters.ignored += 1;
      return { id: null, ignored: 'capture.messages is false' };
    }
    this.counters.redacted += read.redactions;
    await this.#store(read.event);
    // A large one may follow: the start of the thread would take longer than the hook waits.
    this.#options.thread.expect();
    if (read.event.tool === endNoticeTool) {
      this.counters.captured -= 1;
      this.counters.ignored += 1;
      return { id: null, ignored: 'joined to the call that started the work' };
    }
    return { id: read.event.id };
  }

  async #store(event: ToolEvent): Promise<void> {
    const { log, committer, report } = this.#options;
    if (log.waiting >= captureQueueMax || log.bytes >= logBytesMax) {
      this.counters.refused += 1;
      throw new Failure('busy', 'too many captures wait for the disk. This one was not stored.');
    }
    let end: number;
    try {
      end = await log.append(event);
    } catch (error) {
      this.counters.refused += 1;
      this.#refusal ??= { since: new Date().toISOString(), why: trouble(error), count: 0 };
      this.#refusal.count += 1;
      report('capture refused: the log cannot be written', { error: messageOf(error) });
      throw new Failure('unavailable', `the capture was not stored: ${messageOf(error)}`);
    }
    this.counters.captured += 1;
    this.#refusal = null;
    committer.push(event, end);
  }
}

function isCheap({ bytes, values }: RequestFrame): boolean {
  return bytes.length <= captureInlineBytesMax && values <= captureInlineValuesMax;
}

function waitingWords({ since, why, waiting }: NonNullable<Committer['trouble']>): string {
  return `since ${since} the database takes no tool call (${waiting} wait in the log): ${why}`;
}

function refusedWords({ since, why, count }: { since: string; why: string; count: number }): string {
  return `since ${since} no tool call is stored (${count} so far): ${why}`;
}

function trouble(error: unknown): string {
  const repair = systemRepair(error) ?? 'run `memd doctor`';
  return inSentences(messageOf(error), repair);
}
