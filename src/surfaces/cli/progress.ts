import type { Io } from './io.ts';
import { count, duration, plural } from './words.ts';

const quietMs = 2_000;
const steadyMs = 1_000;
const renewMs = 250;

/** One line on a terminal for long work: how much of how much, the rate, and the time left. Renewed while nothing is reported. */
export class Progress {
  readonly #io: Io;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #startMs = performance.now();
  #what = '';
  #whatSinceMs = 0;
  /** What was done when this kind of work was first reported: the rate counts from there. */
  #first = 0;
  #firstEvents = 0;
  #amount: Amount | null = null;
  #shownMs = Number.NEGATIVE_INFINITY;

  /** `what`: shown with the seconds after two of them, until the first report. */
  constructor(io: Io, what: string) {
    this.#io = io;
    this.#what = what;
    this.#whatSinceMs = this.#startMs;
    if (io.showsProgress) this.#timer = setInterval(() => this.#show(), steadyMs).unref();
  }

  /**
   * @param unit `events`; `bytes` shows a share instead of counts
   * @param events what comes out of it, if that is another number: the rate is of these
   */
  report(what: string, done: number, total: number, unit: string, events?: number): void {
    const nowMs = performance.now();
    const isNew = what !== this.#what;
    if (isNew || this.#amount === null) {
      this.#what = what;
      this.#whatSinceMs = nowMs;
      this.#first = done;
      this.#firstEvents = events ?? 0;
    }
    this.#amount = { done, total, unit, events };
    if (isNew || nowMs - this.#shownMs >= renewMs) this.#show();
  }

  /** What is done now, of an unknown amount. */
  say(what: string): void {
    this.#what = what;
    this.#whatSinceMs = performance.now();
    this.#amount = null;
    this.#io.progress(what);
  }

  /** Removes the line. */
  end(): void {
    clearInterval(this.#timer);
    this.#io.progress('');
  }

  #show(): void {
    const nowMs = performance.now();
    this.#shownMs = nowMs;
    const seconds = (nowMs - this.#whatSinceMs) / 1000;
    if (this.#amount !== null) {
      this.#io.progress(amountLine(this.#what, this.#amount, this.#first, seconds, this.#firstEvents));
    } else if (nowMs - this.#startMs >= quietMs) {
      this.#io.progress(`${this.#what}: ${duration(seconds)}`);
    }
  }
}

interface Amount {
  readonly done: number;
  readonly total: number;
  readonly unit: string;
  readonly events?: number | undefined;
}

/** `summarising: 3,200 of 11,193 events, 620/s, 13 s left`; exported for the test */
export function amountLine(
  what: string,
  { done, total, unit, events }: Amount,
  first: number,
  seconds: number,
  firstEvents = 0,
): string {
  const rate = seconds < 1 ? 0 : (done - first) / seconds;
  const shown = events === undefined || seconds < 1 ? rate : (events - firstEvents) / seconds;
  const share = `${Math.floor((100 * done) / Math.max(total, 1))} %`;
  const amount =
    unit === 'bytes' ? share : total > 0 ? `${count(done)} of ${count(total)} ${unit}` : count(done);
  const more = events === undefined ? [] : [plural(events, 'event')];
  const speed = unit === 'bytes' || shown < 1 ? [] : [`${count(Math.round(shown))}/s`];
  const left = rate <= 0 || total <= done ? [] : [`${duration(Math.ceil((total - done) / rate))} left`];
  return `${what}: ${[amount, ...more, ...speed, ...left].join(', ')}`;
}

/** Waits for `work`; on a terminal a line says for what after two seconds. */
export async function withProgress<T>(
  io: Io,
  what: string,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const progress = new Progress(io, what);
  try {
    return await work(progress);
  } finally {
    progress.end();
  }
}
