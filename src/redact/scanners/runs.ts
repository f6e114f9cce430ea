import { endAt, type SetName, sets } from '#redact/form';

/**
 * Gives the end of the run of characters of a set at an offset, or the offset itself if its character is not in the set. Each run is measured
 * once per text, so that repeated keywords inside a run stay linear.
 */
export function runsIn(text: string): (set: SetName, at: number) => number {
  const measured = new Map<SetName, { from: number; end: number }>();
  return (set, at) => {
    const last = measured.get(set);
    if (last !== undefined && at >= last.from && at <= last.end) return last.end;
    const pattern = patterns.get(set) ?? new RegExp(`[${sets[set]}]*`, 'y');
    patterns.set(set, pattern);
    const end = endAt(pattern, text, at) ?? at;
    measured.set(set, { from: at, end });
    return end;
  };
}

const patterns = new Map<SetName, RegExp>();
