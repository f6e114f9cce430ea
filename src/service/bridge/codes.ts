import { bridgeCodeMs } from '../../core/limits.ts';
import { newToken, Secret } from './token.ts';

export const bridgeCodesMax = 16;
// Those that have opened, and would show by coming again that two had them.
const bridgeUsedCodesMax = 64;

/**
 * `opens`: the first to bring a code that was given out, within a minute. `used`: somebody has opened with it before. `unknown`: it was
 * never given out, or nobody used it in time.
 */
export type Presented = 'opens' | 'used' | 'unknown';

interface OpenCode {
  readonly secret: Secret;
  readonly until: number;
  readonly over: () => void;
}

/** One-time codes: each opens once, within `bridgeCodeMs`. `now` is a clock in ms that never goes back. */
export class Codes {
  readonly #now: () => number;
  #open: readonly OpenCode[] = [];
  #used: readonly Secret[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A new one. Beyond `bridgeCodesMax` the oldest is void. `over` is called when it has opened. */
  issue(over: () => void = () => {}): string {
    const code = newToken();
    const one = { secret: new Secret(code), until: this.#now() + bridgeCodeMs, over };
    this.#open = [...this.#valid(), one].slice(-bridgeCodesMax);
    return code;
  }

  /** What it is worth; it will not open again. Every code is compared, whichever fits. */
  spend(code: string): Presented {
    const valid = this.#valid();
    const fitting = valid.filter(({ secret }) => secret.fits(code));
    const wasUsed = this.#used.filter((secret) => secret.fits(code)).length > 0;
    if (fitting.length === 0) return wasUsed ? 'used' : 'unknown';
    this.#open = valid.filter((one) => !fitting.includes(one));
    this.#used = [...this.#used, ...fitting.map(({ secret }) => secret)].slice(-bridgeUsedCodesMax);
    for (const { over } of fitting) over();
    return 'opens';
  }

  /** What the used ones gave is worth nothing any more: bringing one again shows nothing. */
  forgetUsed(): void {
    this.#used = [];
  }

  #valid(): readonly OpenCode[] {
    return this.#open.filter(({ until }) => this.#now() < until);
  }
}
