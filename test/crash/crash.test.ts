import { afterAll, expect, test } from 'vitest';
import { Home } from '../support/home.ts';
import { planOf } from './plan.ts';
import { type Played, play } from './play.ts';

/**
 * `MEMD_CRASH_SEEDS` seeds are played, from `MEMD_CRASH_FROM` on; `MEMD_CRASH_SEED` plays one alone. A seed decides what is
 * drawn, not how the threads of a daemon meet: one that fails may have to be played some times to fail again.
 */
const { MEMD_CRASH_SEED, MEMD_CRASH_SEEDS = '12', MEMD_CRASH_FROM = '1' } = process.env;
const seeds =
  MEMD_CRASH_SEED === undefined
    ? Array.from({ length: Number(MEMD_CRASH_SEEDS) }, (_, at) => Number(MEMD_CRASH_FROM) + at)
    : [Number(MEMD_CRASH_SEED)];
const played: Played[] = [];

afterAll(() => {
  const sum = (of: (one: Played) => number): number => played.reduce((total, one) => total + of(one), 0);
  console.log(
    `crash: ${played.length} seeds, ${sum(({ rounds }) => rounds)} daemons killed, ${sum(({ killed }) => killed)} of them at their fault point; ` +
      `${sum(({ sent }) => sent)} captures sent, ${sum(({ hooked }) => hooked)} of them by hooks, ${sum(({ acknowledged }) => acknowledged)} acknowledged`,
  );
});

test.concurrent.each(seeds)('seed %i keeps what was acknowledged, once', async (seed) => {
  const plan = planOf(seed);
  const home = Home.open({ config: { idleMinutes: 0, drain: { backend: 'builtin', tickMs: 600_000 } } });
  try {
    const result = await play(plan, home);
    played.push(result);
    if (result.broken.length > 0) {
      throw new Error(
        [`seed ${seed} failed; again: MEMD_CRASH_SEED=${seed} npx vitest run --project crash`]
          .concat(
            plan.rounds.map((round) => `  round: ${JSON.stringify(round)}`),
            result.broken,
          )
          .join('\n'),
      );
    }
    expect(result.acknowledged).toBeGreaterThan(0);
  } finally {
    if (process.env.MEMD_CRASH_KEEP === undefined) await home.close();
    else console.log(`kept: ${home.folder}`);
  }
});
