import { commandText, familyOf, parsePayload, readCall } from '../../calls/call/index.ts';
import { commandVerdict, verdictWords } from '../../calls/checks/index.ts';
import { complaintIn, SessionTally } from '../../memory/digest/index.ts';
import { type OutlineEvent, OutlineReads, type Store, sessionNamed } from '../../memory/store/index.ts';
import { requestIn } from '../../memory/talk/index.ts';
import { failureLine } from './failure-line.ts';
import type { Line, Section } from './line.ts';
import { ProjectReader, SessionView } from './session.ts';
import { framedLines, outlineLines } from './text.ts';

export const handoffTokens = 600;
const eventsMax = 3_000;
const commandCharsMax = 400;
const decidedMax = 5;
const failuresMax = 4;

export interface HandoffRequest {
  /** A session id, a unique start of one, or `last`. */
  readonly session: string;
  readonly tokens: number;
}

/** The evidence of a session for the assistant that goes on with it. @throws Failure `bad_request` when no session, or more than one, has this name */
export function handoff(
  store: Pick<Store, 'connection'>,
  { session, tokens }: HandoffRequest,
): { readonly sessionId: string; readonly text: string; readonly lines: readonly string[] } {
  const sessionId = sessionNamed(store.connection, session);
  const lines = outlineLines(handoffSections(new OutlineReads(store), sessionId) ?? [], tokens);
  return { sessionId, text: framedLines(lines), lines };
}

/** Null when the session has no events. */
export function handoffSections(reads: OutlineReads, sessionId: string): readonly Section[] | null {
  const [row] = reads.sessions(1, sessionId);
  if (row === undefined) return null;
  const view = new SessionView(row);
  const project = new ProjectReader([view]);
  const facts = new SessionTally();
  const runs = new Runs();
  let asked: Line | null = null;
  for (const event of reads.events(sessionId, eventsMax, true)) {
    project.take(event);
    const parsed = parsePayload(event.payloadJson);
    if (!('payload' in parsed)) continue;
    const { message, output } = parsed.payload;
    if (message === undefined) {
      const call = readCall(parsed.payload);
      facts.take(call);
      runs.take(event, parsed.payload);
    } else if (message.role === 'user' && message.agentId === null && typeof output === 'string')
      asked = { id: event.id, ts: event.ts, text: requestIn(output, 500) };
  }
  const at = { id: row.id, ts: row.ts };
  const decided = [
    ...facts.answers.map(({ question, answer }) => `${question} → ${answer}`),
    ...view.talk.decisions(),
  ];
  const next = view.next();
  const open = view.plan?.state.open ?? [];
  return [
    ...(row.author === undefined
      ? []
      : [
          {
            title: 'Recorded on another device, by:',
            lines: [{ id: null, ts: row.ts, text: row.author }],
            share: 1,
          },
        ]),
    { title: 'Last request:', lines: asked === null ? [] : [asked], share: 0.25 },
    {
      title: 'Decided:',
      lines: decided
        .slice(-decidedMax)
        .reverse()
        .map((text) => ({ ...at, text })),
      share: 0.15,
    },
    {
      title: 'Failed, and not passed since:',
      lines: project.checks
        .open()
        .slice(0, failuresMax)
        .flatMap(({ name, failed }) => (failed === null ? [] : [failureLine(name, failed)])),
      share: 0.15,
    },
    {
      title: 'Next:',
      lines: [
        ...(view.plan === null || open.length === 0
          ? []
          : [{ id: view.plan.event.id, ts: view.plan.event.ts, text: open.slice(0, 5).join('; ') }]),
        ...(next?.steps ?? []).map((text) => ({
          id: next?.event.id ?? null,
          ts: next?.event.ts ?? '',
          text,
        })),
      ],
      share: 0.15,
    },
    { title: 'Files changed:', lines: filesOf(facts, at), share: 0.2 },
    { title: 'Commands, with their ends:', lines: runs.lines(), share: 0.35 },
  ];
}

/** The files changed last and most, and those read most. */
function filesOf(facts: SessionTally, at: Pick<Line, 'id' | 'ts'>): readonly Line[] {
  const changed = [...facts.files.values()].filter(({ removed }) => !removed).reverse();
  const names = changed.sort((one, other) => other.edits - one.edits).map(({ path }) => path);
  const read = [...facts.reads].sort(([, one], [, other]) => other - one).map(([path]) => path);
  const others = read.filter((path) => !names.includes(path));
  const lines = [names.slice(0, filesMax).join(', ')];
  if (others.length > 0) lines.push(`read: ${others.slice(0, filesMax).join(', ')}`);
  return lines.filter((text) => text !== '').map((text) => ({ ...at, text }));
}

const filesMax = 12;

/** The commands of a session, each as typed with its last end. */
class Runs {
  readonly #runs = new Map<string, Line & { readonly count: number; readonly at: number }>();
  #clock = 0;

  take(event: OutlineEvent, payload: Parameters<typeof readCall>[0]): void {
    const call = readCall(payload);
    const command = commandText(call).trim();
    if (
      familyOf(call) !== 'command' ||
      command === '' ||
      command.length > commandCharsMax ||
      call.result.refused
    )
      return;
    this.#clock += 1;
    const { exitCode, text } = call.result;
    const verdict = commandVerdict(call);
    const status = exitCode === null || exitCode === 0 ? '' : ` (${exitCode})`;
    const end =
      verdict === 'failed'
        ? `failed${status}: ${complaintIn(text)}`
        : verdict === 'passed'
          ? 'ok'
          : verdictWords(verdict);
    const count = (this.#runs.get(command)?.count ?? 0) + 1;
    const line = { id: event.id, ts: event.ts, text: `\`${command}\` ${end}`, count, at: this.#clock };
    this.#runs.delete(command);
    this.#runs.set(command, line);
  }

  /** What ran last and often comes first: it is what runs again. */
  lines(): readonly Line[] {
    const score = ({ count, at }: { count: number; at: number }): number =>
      Math.log2(1 + count) * 2 + at / Math.max(1, this.#clock);
    return [...this.#runs.values()].sort((one, other) => score(other) - score(one));
  }
}
