import { type Call, commandText, familyOf, parsePayload, readCall } from '../../calls/call/index.ts';
import { CheckHistory, commandRun, missingIn } from '../../calls/checks/index.ts';
import { Plan, type PlanState, planStepsIn, stateOf, taskOf, withChecksRun } from '../../calls/plan/index.ts';
import { onlyLooks } from '../../calls/shell/index.ts';
import {
  complaintIn,
  goalOf,
  outcomeOf,
  SessionTalk,
  takeChecks,
  takeSessionChecks,
} from '../../memory/digest/index.ts';
import type { OutlineEvent, SessionRow } from '../../memory/store/index.ts';
import { isCourtesy, nextStepsIn } from '../../memory/talk/index.ts';

/** Where a run is found again. */
export interface RunRef {
  readonly id: number | null;
  readonly ts: string;
  readonly sessionId: string;
  /** As typed. */
  readonly command: string;
  readonly said: string;
}

/** What was said and planned in a session. */
export class SessionView {
  readonly row: SessionRow;
  readonly talk = new SessionTalk();
  /** Its own checks; those of the project may end otherwise. */
  readonly #checks = new CheckHistory<null>();
  #plan: { readonly state: PlanState; readonly event: OutlineEvent } | null = null;
  #reply: { readonly text: string; readonly event: OutlineEvent } | null = null;
  readonly #tasks = new Plan();

  /** The command on which the session ended, when it failed and was not to look for something. */
  stuck: RunRef | null = null;

  constructor(row: SessionRow) {
    this.row = row;
  }

  said(payload: Parameters<SessionTalk['take']>[0], event: OutlineEvent): void {
    this.talk.take(payload);
    const { output, message } = payload;
    if (
      message?.role === 'assistant' &&
      message.agentId === null &&
      typeof output === 'string' &&
      !isCourtesy(output)
    )
      this.#reply = { text: output, event };
  }

  planned(call: Call, event: OutlineEvent): void {
    if (call.result.failed) return;
    const list = planStepsIn(call);
    const task = taskOf(call);
    if (task !== null) this.#tasks.take(task);
    const state = task === null ? (list.length === 0 ? null : stateOf(list)) : this.#tasks.state();
    if (state !== null) this.#plan = { state, event };
  }

  /** Only for the steps of a plan. */
  ran(call: Call, root: string | null): void {
    if (this.#plan !== null) takeSessionChecks(this.#checks, call, root, () => null);
  }

  get plan(): { readonly state: PlanState; readonly event: OutlineEvent } | null {
    if (this.#plan === null || !this.#checks.allPass()) return this.#plan;
    return { ...this.#plan, state: withChecksRun(this.#plan.state) };
  }

  goal(max: number): string {
    const said = whole((room) => goalOf(this.talk.prompts(), room)?.goal ?? '', max);
    return said || (/^Goal: (.*)$/m.exec(this.row.digest)?.[1] ?? '');
  }

  outcome(max: number): string {
    const said = whole((room) => outcomeOf(this.talk, room), max);
    return said || (/^Outcome: (.*)$/m.exec(this.row.digest)?.[1] ?? '');
  }

  /** What its last reply says is left to do. */
  next(): { readonly steps: readonly string[]; readonly event: OutlineEvent } | null {
    if (this.#reply === null) return null;
    const steps = nextStepsIn(this.#reply.text);
    return steps.length === 0 ? null : { steps, event: this.#reply.event };
  }
}

/** More room rather than a sentence that is cut. */
function whole(said: (room: number) => string, max: number): string {
  let text = said(max);
  for (let room = 2 * max; text.endsWith('…') && room <= 4 * max; room *= 2) text = said(room);
  return text;
}

/** Reads events of sessions in the order of their time. */
export class ProjectReader {
  readonly checks = new CheckHistory<RunRef>();
  readonly #views: ReadonlyMap<string, SessionView>;
  readonly #roots = new Map<string, string | null>();

  constructor(views: readonly SessionView[]) {
    this.#views = new Map(views.map((view) => [view.row.sessionId, view]));
  }

  take(event: OutlineEvent): void {
    const parsed = parsePayload(event.payloadJson);
    if (!('payload' in parsed)) return;
    const view = this.#views.get(event.sessionId);
    if (parsed.payload.message !== undefined) {
      view?.said(parsed.payload, event);
      return;
    }
    const call = readCall(parsed.payload);
    view?.planned(call, event);
    const root = this.#roots.get(event.sessionId) ?? call.cwd;
    this.#roots.set(event.sessionId, root);
    const run = (): RunRef => ({
      ...{ id: event.id, ts: event.ts, sessionId: event.sessionId },
      command: commandText(call),
      said: complaintIn(call.result.text),
    });
    takeChecks(this.checks, call, root, run);
    view?.ran(call, root);
    if (view !== undefined && (familyOf(call) === 'command' || familyOf(call) === 'edit'))
      view.stuck = isStuck(call) ? run() : null;
  }
}

/** A command that failed, and is neither a check, a search, an obstacle, nor one that a person or a time limit ended. */
function isStuck(call: Call): boolean {
  const { failed, refused, cancelled, exitCode } = call.result;
  if (familyOf(call) !== 'command' || !failed || refused || cancelled) return false;
  if (exitCode !== null && [124, 127, 130, 137, 143].includes(exitCode)) return false;
  const { shell, checks } = commandRun(call);
  if (checks.length > 0 || missingIn(call) !== null) return false;
  return shell.programs.length === 0 || !onlyLooks(shell.programs.slice(-1));
}
