import type { SessionAccounts } from '#memory/account';
import { OutlineReads, type Store } from '#memory/store';
import { readCommandLine } from './command-line.ts';
import { rowsMax, viewsOf } from './outline.ts';
import { projectChecks } from './project.ts';

/** The command that a question asks for, and its last run that passed. */
export interface Recipe {
  readonly id: number | null;
  readonly ts: string;
  readonly command: string;
  /** The folder in which it ran; empty for the project's. */
  readonly place: string;
}

/** For `which command tests this project`, `how do I run the linter here`: what passed last. Null for another question, and if nothing did. */
export function recipeFor(
  query: string,
  store: Pick<Store, 'connection'>,
  accounts: SessionAccounts,
): Recipe | null {
  const kind = kindAsked(query);
  if (kind === null) return null;
  const reads = new OutlineReads(store);
  const known = projectChecks(viewsOf(reads.sessions(rowsMax), accounts, '', rowsMax)).howTo();
  const found = known.find((one) => one.kind === kind) ?? known.find((one) => one.kind === 'all');
  if (found === undefined) return null;
  const { name, place, run } = found;
  const event = reads.eventsOf([run.seq]).get(run.seq);
  const { id = null, ts = run.ts } = event ?? {};
  return { id, ts, command: readCommandLine(run.command, name), place };
}

/** Null if it asks for more than that. */
function kindAsked(query: string): string | null {
  const words = query.toLowerCase().match(/\p{L}+(?:['’-]\p{L}+)*/gu) ?? [];
  if (words[0] !== 'how' && !words.some((word) => /^commands?$/.test(word))) return null;
  const left = words.filter((word) => !around.test(word));
  const asked = kinds.find(([, form]) => left.every((word) => form.test(word)));
  return left.length === 0 || asked === undefined ? null : asked[0];
}

const around =
  /^(?:how|which|what(?:['’]?s)?|commands?|do|does|did|to|can|could|should|is|are|was|were|be|i|we|you|one|it|they|an?|the|this|that|these|my|our|its?|all|whole|full|unit|suites?|project(?:['’]s)?|repo|repository|code|codebase|here|again|now|runs?|running|execut(?:e|es|ed)|start|starts|use|uses|used|for|of|in|with|by|please)$/;

const kinds: readonly (readonly [kind: string, form: RegExp])[] = [
  ['test', /^test(?:s|ed|ing)?$/],
  ['lint', /^lint(?:s|ed|er|ers|ing)?$/],
  ['build', /^(?:build|builds|built|building|compil(?:e|es|ed|ing))$/],
  ['all', /^(?:check|checks|checked)$/],
  ['types', /^(?:types?|typecheck|type-check|check|checks|checked|checker)$/],
];
