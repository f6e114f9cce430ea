import type { Payload, ToolFamily } from '#core/event';
import type { StoredStep } from '#memory/store';
import {
  argument,
  type Call,
  familyOf,
  fromRoot,
  parsePayload,
  readCall,
  refusalReason,
} from '#reading/call';
import { commandRun, committed, endsBadly, isFailure, type Verdict } from '#reading/checks';
import { changesToShow } from '#reading/edits';
import { factsOf } from '#reading/facts';
import { planStepsIn, stateOf, type Task, taskOf } from '#reading/plan';
import { pathsOf, subjectsOf } from '#reading/subjects';
import { isCompaction } from '#reading/talk';
import { firstLine, oneLine, plainPath } from '#reading/text';

const titleCharsMax = 300;
/** A longer message is read whole by opening it. */
const messageCharsMax = 12_000;
const complaintCharsMax = 240;
const filesMax = 50;

export interface StepFile {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly isNew?: true;
  readonly isGone?: true;
}

/** One message or call of a session in a line. What is empty or usual is left out. */
export interface Step {
  readonly seq: number;
  /** Its memory; null until it is summarised. */
  readonly id: number | null;
  readonly ts: string;
  /** The other author who recorded it. */
  readonly author?: string;
  readonly kind: 'prompt' | 'reply' | 'call';
  readonly tool: string;
  readonly family?: ToolFamily;
  /** Of a call: file, command or request. Of a message: its text. */
  readonly title: string;
  readonly isCut?: true;
  /** Written or made by a subagent. */
  readonly isAgent?: true;
  /** Retells the conversation up to a compaction. */
  readonly isCompaction?: true;
  readonly end?: 'failed' | 'refused' | 'cancelled';
  /** It or a check in it failed; not of a search that found nothing. */
  readonly isFailure?: true;
  readonly exit?: number;
  /** What was wrong, in one line. */
  readonly said?: string;
  readonly files?: readonly StepFile[];
  readonly runs?: readonly { readonly name: string; readonly isCheck: boolean; readonly verdict: Verdict }[];
  /** The subject of the commit that it made. */
  readonly commit?: string;
  /** That it made or changed; often only the call that made it has its name. */
  readonly task?: Task;
}

/** `root`: the first folder of the session, for the paths. */
export function stepOf({ seq, id, ts, author, payloadJson }: StoredStep, root: string | null = null): Step {
  const parsed = parsePayload(payloadJson);
  const place = { seq, id, ts, ...(author !== undefined && { author }) } as const;
  if (!('payload' in parsed))
    return { ...place, kind: 'call', tool: 'unreadable', family: 'other', title: parsed.error };
  const { payload } = parsed;
  return payload.message === undefined
    ? { ...place, kind: 'call', ...callFields(payload, root) }
    : { ...place, ...messageFields(payload) };
}

function messageFields(payload: Payload): Omit<Step, 'seq' | 'id' | 'ts'> {
  const text = typeof payload.output === 'string' ? payload.output : '';
  const isPrompt = payload.message?.role === 'user';
  return {
    kind: isPrompt ? 'prompt' : 'reply',
    tool: payload.tool,
    title: text.slice(0, messageCharsMax),
    ...(text.length > messageCharsMax && { isCut: true }),
    ...(payload.message?.agentId != null && { isAgent: true }),
    ...(!isPrompt && isCompaction(text) && { isCompaction: true }),
  };
}

function callFields(payload: Payload, root: string | null): Omit<Step, 'seq' | 'id' | 'ts' | 'kind'> {
  const call = readCall(payload);
  const family = familyOf(call);
  const { exitCode } = call.result;
  const end = endOf(call);
  // What an edit changed is read below, as it is shown.
  const { runs, complaint } = family === 'command' ? factsOf(payload) : { runs: [], complaint: '' };
  const isBad = end === 'failed' || failsCheck(runs);
  const why = isBad ? complaint || firstLine(call.result.text, complaintCharsMax) : '';
  const said = end === 'refused' ? refusalReason(call.result) : why;
  const placed = fromRoot(call, root);
  const files = end === null ? filesOf(placed, family) : [];
  const commit = family === 'command' ? commitOf(call) : null;
  const task = family === 'plan' ? taskOf(call) : null;
  return {
    tool: call.tool,
    family,
    title: oneLine(titleOf(family === 'command' ? call : placed, family), titleCharsMax),
    ...(end !== null && { end }),
    ...(isFailure(call) && { isFailure: true as const }),
    ...(exitCode !== null && exitCode !== 0 && { exit: exitCode }),
    ...(said !== '' && { said: oneLine(said, complaintCharsMax) }),
    ...(files.length > 0 && { files }),
    ...(runs.length > 0 && { runs }),
    ...commit,
    ...(task !== null && { task }),
  };
}

function endOf(call: Call): NonNullable<Step['end']> | null {
  const { refused, cancelled } = call.result;
  if (refused || cancelled) return refused ? 'refused' : 'cancelled';
  return endsBadly(call) ? 'failed' : null;
}

export function failsCheck(runs: NonNullable<Step['runs']>): boolean {
  return runs.some(({ isCheck, verdict }) => isCheck && verdict === 'failed');
}

function commitOf(call: Call): Pick<Step, 'commit'> | null {
  const { command, shell } = commandRun(call);
  const { refused, cancelled } = call.result;
  const [first] = shell.commits;
  if (first === undefined || refused || cancelled || !committed(command, call.result)) return null;
  return { commit: oneLine(first.subject, titleCharsMax) };
}

function filesOf(call: Call, family: ToolFamily): StepFile[] {
  const outcomes = new Map(
    subjectsOf(call).flatMap(({ kind, name, outcome }) =>
      kind === 'file' ? [[name, outcome] as const] : [],
    ),
  );
  const state = (path: string): Pick<StepFile, 'isNew' | 'isGone'> => ({
    ...(outcomes.get(path) === 'created' && { isNew: true }),
    ...(outcomes.get(path) === 'removed' && { isGone: true }),
  });
  if (family === 'edit')
    return changesToShow(call)
      .slice(0, filesMax)
      .map(({ path, added, removed }) => {
        const name = plainPath(path, call.cwd);
        return { path: name, added, removed, ...state(name) };
      });
  if (family !== 'command') return [];
  return [...outcomes]
    .filter(([, outcome]) => /^(?:changed|created|removed)$/.test(outcome))
    .map(([path]) => ({ path, added: 0, removed: 0, ...state(path) }));
}

function titleOf(call: Call, family: ToolFamily): string {
  switch (family) {
    case 'command':
      return commandRun(call).shell.essence || commandRun(call).command;
    case 'edit':
    case 'read':
      return subjectsOf(call).find(({ kind }) => kind === 'file')?.name ?? pathOf(call);
    case 'search':
      return [argument(call, 'pattern', 'query', 'regex', 'search', 'symbol', 'q'), pathOf(call)]
        .filter((part) => part !== '')
        .join(' in ');
    case 'plan': {
      const steps = planStepsIn(call);
      if (steps.length === 0) return taskTitle(call);
      const { done, of } = stateOf(steps);
      return `${done} of ${of} steps done`;
    }
    case 'question': {
      const said = subjectsOf(call).map(({ name }) => name);
      return said.find((name) => name.includes(' -> ')) ?? said[0] ?? argument(call, 'question');
    }
    case 'agent':
    case 'web':
    case 'other':
      return argument(call, 'description', 'url', 'query', 'prompt', 'name', 'subject', 'skill', 'input');
  }
}

function taskTitle(call: Call): string {
  const said = argument(call, 'subject', 'plan', 'description', 'activeForm');
  const task = argument(call, 'taskId');
  return [said || (task === '' ? '' : `task ${task}`), argument(call, 'status').replaceAll('_', ' ')]
    .filter((part) => part !== '')
    .join(': ');
}

function pathOf(call: Call): string {
  return plainPath(pathsOf(call)[0] ?? '', call.cwd);
}
