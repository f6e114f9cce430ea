import type { SessionAccount, Step } from '../shapes.ts';

/** One request and all that follows until the next. */
export interface Turn {
  /** The `seq` of its first step. */
  readonly key: number;
  readonly prompt: Step | null;
  readonly steps: readonly Step[];
  /** Changes when anything of the turn does that is drawn. */
  readonly stamp: string;
}

/** Failures and what fixed them, both ways, by `seq`. */
export interface Fixes {
  readonly fixedBy: ReadonlyMap<number, number>;
  readonly fixes: ReadonlyMap<number, number>;
}

export function fixesOf(account: Pick<SessionAccount, 'fixes'> | null): Fixes {
  const pairs = account?.fixes ?? [];
  return { fixedBy: new Map(pairs), fixes: new Map(pairs.map(([failed, by]) => [by, failed])) };
}

export function turnsOf(steps: readonly Step[], { fixedBy }: Fixes): Turn[] {
  const turns: { prompt: Step | null; steps: Step[]; stamp: string[] }[] = [];
  const tasks = new Map<string, string>();
  for (const given of steps) {
    const step = withTaskName(given, tasks);
    if (step.kind === 'prompt' || turns.length === 0) {
      turns.push({ prompt: step.kind === 'prompt' ? step : null, steps: [], stamp: [] });
      if (step.kind === 'prompt') continue;
    }
    const turn = turns.at(-1);
    turn?.steps.push(step);
    if (step.isFailure) turn?.stamp.push(`${step.seq}:${fixedBy.get(step.seq) ?? ''}`);
  }
  return turns.map(({ prompt, steps: own, stamp }) => ({
    prompt,
    steps: own,
    key: prompt?.seq ?? own[0]?.seq ?? 0,
    stamp: `${own.length} ${own.filter(({ id }) => id !== null).length} ${stamp.join(' ')}`,
  }));
}

/** A change of a task names it as an earlier call did. */
function withTaskName(step: Step, names: Map<string, string>): Step {
  if (step.task === undefined) return step;
  const { id, name, status } = step.task;
  if (name !== '') names.set(id, name);
  const known = names.get(id);
  if (name !== '' || known === undefined) return step;
  return { ...step, title: [known, status.replaceAll('_', ' ')].filter(Boolean).join(': ') };
}

export function isChange({ files = [] }: Step): boolean {
  return files.length > 0;
}

/** Said by the assistant itself to the person. */
export function isReply({ kind, tool, isAgent, isCompaction }: Step): boolean {
  return kind === 'reply' && tool !== 'Note' && isAgent !== true && isCompaction !== true;
}

/** The verdict of the checks that a step ran; null when it ran none, or when their end is not known. */
export function checkEnd({ runs = [] }: Step): 'passed' | 'failed' | null {
  const ends = runs.flatMap(({ isCheck, verdict }) => (isCheck && verdict !== 'none' ? [verdict] : []));
  if (ends.includes('failed')) return 'failed';
  return ends.length > 0 && ends.every((end) => end === 'passed') ? 'passed' : null;
}

/** The number of a turn on the page; calls before the first request have 0. */
export function numberOf(turns: readonly Turn[], at: number): number {
  return at + (turns[0]?.prompt === null ? 0 : 1);
}

type Requests = SessionAccount['requests'];

const firstRequests = 3;
const busyRequests = 3;

/** The first requests and the last, and of those between the ones that changed most. */
export function mainRequests(requests: Requests): Requests {
  // One more is not worth a button.
  if (requests.length <= firstRequests + busyRequests + 2) return requests;
  const between = requests.slice(firstRequests, -1).filter(({ files }) => files > 0);
  const busy = between.sort((one, other) => other.files - one.files).slice(0, busyRequests);
  const last = requests.at(-1);
  return requests.filter((request, at) => at < firstRequests || request === last || busy.includes(request));
}
