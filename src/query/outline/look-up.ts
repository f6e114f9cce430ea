import type { Standings, States } from '#query/state';
import type { Gathered, Given } from './gathered.ts';

/** What an outline or a handoff needs to know of the working tree and of git when it is shown, each within `budgetMs`. `cwd`: the folder of who asks. */
export async function lookUp(
  { pinned, sections, open }: Pick<Gathered, 'sections' | 'open'> & Partial<Pick<Gathered, 'pinned'>>,
  { states, standings }: { readonly states: States; readonly standings: Standings },
  { budgetMs, cwd }: { readonly budgetMs: number; readonly cwd?: string | undefined },
): Promise<Omit<Given, 'tokenBudget'>> {
  const needed = sections.flatMap(({ lines }) =>
    lines.flatMap(({ needs = [], without = [] }) => [...needs, ...without]),
  );
  const [found, asked, missing] = await Promise.all([
    states.of(
      (pinned ?? []).map(({ id }) => id),
      budgetMs,
      cwd,
    ),
    standings.of(open, budgetMs),
    standings.missing(needed),
  ]);
  return { states: found, standings: asked, missing, now: Date.now() };
}
