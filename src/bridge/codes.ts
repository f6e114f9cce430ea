import { bridgeCodeMs, bridgeCodesMax } from '../limits.ts';
import { newToken, Secret } from './token.ts';

/** One-time codes: each opens once, within `bridgeCodeMs`. `now` is a clock in ms that never goes back. */
export class Codes {
  readonly #now: () => number;
  #open: readonly { readonly secret: Secret; readonly until: number }[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A new one. Beyond `bridgeCodesMax` the oldest is void. */
  issue(): string {
    const code = newToken();
    const one = { secret: new Secret(code), until: this.#now() + bridgeCodeMs };
    this.#open = [...this.#valid(), one].slice(-bridgeCodesMax);
    return code;
  }

  /** Whether it opens; it will not again. Every open code is compared, whichever fits. */
  spend(code: string): boolean {
    const valid = this.#valid();
    this.#open = valid.filter(({ secret }) => !secret.fits(code));
    return this.#open.length < valid.length;
  }

  #valid(): readonly { readonly secret: Secret; readonly until: number }[] {
    return this.#open.filter(({ until }) => this.#now() < until);
  }
}
