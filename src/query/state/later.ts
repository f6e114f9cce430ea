import type { LaterRun, StateReads, Stored } from '#memory/store';
import { checkOf, covers } from '#reading/checks';
import type { Run } from '#reading/comparable';
import { subjectKey } from '#reading/subjects';
import { type State, shown, unknown } from './shapes.ts';

/**
 * Whether a later run of the same check or command, or of a wider check, ended differently. Only runs of the user, and of who recorded the
 * memory, change its state.
 */
export function stateOfRun(reads: StateReads, memory: Dated, run: Run | null): State {
  if (run === null) return unknown('it is not known how the command ended');
  const { other, same, stranger } = endedLater(reads, memory, run);
  const name = shown(run.name);
  const { author = '' } = stranger ?? {};
  const theirs =
    stranger === null
      ? ''
      : `; ${shown(author)}: it ${stranger.outcome} ${after(memory.ts, stranger.ts)}, #${stranger.id}`;
  if (other !== null) {
    const { run: later, name: what } = other;
    return {
      verdict: 'changed',
      detail: `${shown(what)} ${later.outcome} ${after(memory.ts, later.ts)}, #${later.id}${theirs}`,
      later: later.outcome,
    };
  }
  if (same === null) return { verdict: 'current', detail: `no later run of ${name} is known${theirs}` };
  return {
    verdict: 'current',
    detail: `${name} ${same.outcome} again ${after(memory.ts, same.ts)}, #${same.id}${theirs}`,
  };
}

type Dated = Pick<Stored, 'id' | 'ts' | 'author'>;

interface Later {
  readonly other: { readonly run: LaterRun; readonly name: string } | null;
  readonly same: LaterRun | null;
  /** The last run of someone else. */
  readonly stranger: LaterRun | null;
}

/** The last later run that ended differently and was not followed by one that ended the same. */
function endedLater(reads: StateReads, memory: Dated, { kind, name, outcome }: Run): Later {
  const names = kind === 'check' ? [name, ...widerThan(name)] : [name];
  const byKey = new Map(names.map((one) => [subjectKey({ kind, name: one }), one]));
  const own = subjectKey({ kind, name });
  const runs = reads.laterRuns([...byKey.keys()], memory);
  const stranger = reads.laterRuns([own], memory, true)[0] ?? null;
  const same = runs.find(({ key }) => key === own) ?? null;
  const other = runs.find((run) => run.outcome !== outcome);
  const isOver =
    other === undefined || (same?.outcome === outcome && runs.indexOf(same) < runs.indexOf(other));
  return { other: isOver ? null : { run: other, name: byKey.get(other.key) ?? name }, same, stranger };
}

/** The checks whose run includes this one, by the names under which they are stored: the same without targets, or with all of them. */
function widerThan(name: string): readonly string[] {
  // Of several checks in one command no single one is wider.
  if (name.includes(' && ')) return [];
  const check = checkOf(name);
  const words = name.split(' ').filter((word) => !check.targets.includes(word) && word !== check.only);
  const bare = words.filter((word) => !word.startsWith('-')).join(' ');
  const [, whole = bare] = /^(.+?)[:._-][\w:.-]+$/.exec(bare) ?? [];
  const all = [bare, whole, `${bare} ./...`, `${bare} .`, whole.replace(/ run test$/, ' test')];
  return [...new Set(all)].filter((one) => one !== name && covers(checkOf(one), check));
}

/** "2 days later". */
function after(then: string, now: string): string {
  const minutes = Math.round((Date.parse(now) - Date.parse(then)) / 60_000);
  if (!Number.isFinite(minutes)) return 'later';
  const [value, unit] =
    minutes < 120
      ? [minutes, 'minute']
      : minutes < 2_880
        ? [Math.round(minutes / 60), 'hour']
        : [Math.round(minutes / 1_440), 'day'];
  return value === 0 ? 'just after' : `${value} ${unit}${value === 1 ? '' : 's'} later`;
}
