const monitorIntervalMsMin = 100;
const monitorIntervalMsMax = 24 * 60 * 60_000;

/** An interval in seconds (`30`, `0.5`) as milliseconds, or null when it is none or out of bounds. */
export function secondsOf(text: string): number | null {
  const ms = Math.round(Number(text) * 1_000);
  return /^\d+(\.\d+)?$/.test(text) && ms >= monitorIntervalMsMin && ms <= monitorIntervalMsMax ? ms : null;
}

/** A whole number from zero up, or null. */
export function wholeNumberOf(text: string): number | null {
  const value = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(value) ? value : null;
}

/** What is said of an interval that is none. */
export const intervalWords = `it must be a number of seconds from ${monitorIntervalMsMin / 1_000} to ${monitorIntervalMsMax / 1_000}.`;
