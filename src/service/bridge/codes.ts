import { bridgeCodeMs } from '#core/limits';
import { comparedWith, newToken } from './token.ts';

export const bridgeCodesMax = 16;
// Used codes are remembered: a second use shows that two persons had the code.
const bridgeUsedCodesMax = 64;

/**
 * `opens`: the first use of an issued code within a minute. `used`: it was used before. `unknown`: it was never issued, or has expired.
 */
export type Presented = 'opens' | 'used' | 'unknown';

interface OpenCode {
  readonly fits: (code: string) => boolean;
  readonly until: number;
  readonly over: () => void;
}

export type Codes = ReturnType<typeof oneTimeCodes>;

/** One-time codes: each opens once, within `bridgeCodeMs`. `now` is a monotonic clock in ms. */
export function oneTimeCodes(now: () => number = () => performance.now()) {
  let open: readonly OpenCode[] = [];
  let used: readonly OpenCode['fits'][] = [];
  const valid = (): readonly OpenCode[] => open.filter(({ until }) => now() < until);
  return {
    /** Beyond `bridgeCodesMax` the oldest code expires. `over` is called when the code has opened. */
    issue: (over: () => void = () => {}): string => {
      const code = newToken();
      const one = { fits: comparedWith(code), until: now() + bridgeCodeMs, over };
      open = [...valid(), one].slice(-bridgeCodesMax);
      return code;
    },
    /** The code does not open again. Compares with every code, so that the time shows nothing. */
    spend: (code: string): Presented => {
      const known = valid();
      const fitting = known.filter(({ fits }) => fits(code));
      const wasUsed = used.filter((fits) => fits(code)).length > 0;
      if (fitting.length === 0) return wasUsed ? 'used' : 'unknown';
      open = known.filter((one) => !fitting.includes(one));
      used = [...used, ...fitting.map(({ fits }) => fits)].slice(-bridgeUsedCodesMax);
      for (const { over } of fitting) over();
      return 'opens';
    },
    /** After a change of the token a second use of an old code does no harm. */
    forgetUsed: (): void => {
      used = [];
    },
  };
}
