import type { Environment } from '#core/workspace';
import { type Assistant, assistants } from './assistants.ts';
import { attempt, planInstall } from './install.ts';
import { pluginOf } from './notes.ts';
import type { Options } from './part.ts';
import type { Programs } from './programs.ts';
import { assistantState } from './state.ts';

/** An assistant that memd would be installed in. */
export type Candidate = ReturnType<typeof candidatesOf>[number];

/** Every assistant on this machine, or those of `only`. Keeps the options of an installation unless `chosen` has others. */
export function candidatesOf(
  env: Environment,
  programs: Programs,
  only: readonly Assistant[] | null,
  chosen: Partial<Options> = {},
) {
  return assistants.flatMap((assistant) => {
    const { isFound, state, options } = assistantState(assistant, env, programs);
    const isWanted = only === null ? isFound || state !== 'not-installed' : only.includes(assistant);
    if (!isWanted) return [];
    const problems: string[] = [];
    const hasPlugin =
      state === 'not-installed' && attempt(() => pluginOf(assistant, env), problems)?.isOn === true;
    const setup = { env, programs, options: { ...options, ...chosen } };
    const plan = hasPlugin ? null : attempt(() => planInstall(assistant, setup), problems);
    return [
      {
        /** `plan` is null if it cannot be planned, or if memd's plugin does the same already. */
        ...{ assistant, plan, hasPlugin },
        /** Why it cannot be planned. */
        problem: problems[0] ?? null,
      },
    ];
  });
}
