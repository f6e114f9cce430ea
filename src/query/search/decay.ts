/** The share of its score that a memory keeps at its age. */
export interface Decay {
  readonly ageDays: number;
  /** `decayFloor` to 1. */
  readonly factor: number;
  readonly pinned: boolean;
}

/**
 * `floor + (1 - floor) * 2^(-age / halfLife)`. A pinned memory keeps all, one from after `asOfMs` has age 0, and a
 * half-life of 0 turns decay off. An unreadable timestamp counts as age 0, so that no memory vanishes.
 */
export function decayOf(
  memory: { readonly ms: number; readonly pinned: boolean },
  asOfMs: number,
  settings: { readonly halfLifeDays: number; readonly decayFloor: number },
): Decay {
  const ageMs = asOfMs - memory.ms;
  const ageDays = ageMs > 0 ? ageMs / dayMs : 0;
  const { pinned } = memory;
  if (pinned || settings.halfLifeDays <= 0) return { ageDays, factor: 1, pinned };
  const { decayFloor: floor, halfLifeDays } = settings;
  return { ageDays, factor: floor + (1 - floor) * 2 ** (-ageDays / halfLifeDays), pinned };
}

const dayMs = 86_400_000;
