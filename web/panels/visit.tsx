import { withoutLineMarks } from '../../src/reading/talk/line-marks.ts';
import { From, familyGlyph, StateChip } from '../parts/marks.tsx';
import { Counts } from '../parts/path.tsx';
import { Plain } from '../parts/plain.tsx';
import { sessionLink } from '../route.ts';
import { checkEnd } from '../session/model.ts';
import { Inline } from '../session/said.tsx';
import { EndWord } from '../session/step.tsx';
import type { EditState, FileStep, Session } from '../shapes.ts';
import { visibleText } from '../text/visible.ts';
import { clock, dayName, fullTime, sessionName, shortDay } from '../text/words.ts';

/** By the id of a call. */
export type States = Readonly<Record<string, EditState>>;

interface VisitProps {
  readonly session: Session | undefined;
  /** Where there are several. */
  readonly withClient: boolean;
  readonly steps: readonly FileStep[];
  readonly bySeq: ReadonlyMap<number, FileStep>;
  readonly nowMs: number;
  readonly states: States;
}

/** What one request did to the file. */
export function Visit({ steps, session, withClient, bySeq, nowMs, states }: VisitProps) {
  const [newest] = steps;
  if (newest === undefined) return null;
  const subjects = new Map(
    steps.flatMap((step) => {
      const commit = commitOf(step, states);
      return typeof commit === 'object' ? [[commit.hash, commit.subject]] : [];
    }),
  );
  const name = sessionName(session ?? { sessionId: newest.sessionId, brief: null });
  const asked = withoutLineMarks(newest.asked).replace(/\*\*|(?<=\s)#{1,6} /g, '') || 'Before any request';
  return (
    <li class="visit">
      <p class="visit-when">
        <a href={sessionLink(newest.sessionId)} dir="auto" title={visibleText(name)}>
          <Inline text={name} />
        </a>
        <span>
          {session !== undefined && withClient && `${visibleText(session.client)} · `}
          <From author={newest.author} />
          <time dateTime={newest.ts} title={fullTime(newest.ts)}>
            {dayName(newest.ts, nowMs)}, {clock(newest.ts)}
          </time>
        </span>
      </p>
      {asked !== name && (
        <p class="visit-asked" dir="auto">
          <Inline text={asked} />
        </p>
      )}
      {[...subjects].map(([hash, subject]) => (
        <p key={hash} class="visit-commit" dir="auto">
          <span aria-hidden="true">◆ </span>
          <span class="unseen">Committed as </span>
          <Inline text={subject} /> <code class="quiet">{visibleText(hash)}</code>
        </p>
      ))}
      <ul class="steps">
        {withFoldedReads(steps).map(({ step, reads }) => (
          <StepRow key={step.seq} ofDay={newest.ts} {...{ step, reads, bySeq, nowMs, states }} />
        ))}
      </ul>
    </li>
  );
}

interface StepProps extends Pick<VisitProps, 'bySeq' | 'nowMs' | 'states'> {
  readonly step: FileStep;
  /** So many reads in a row, this one first. */
  readonly reads: number;
  /** The time that the visit shows. */
  readonly ofDay: string;
}

function StepRow({ step, reads, ofDay, bySeq, nowMs, states }: StepProps) {
  const commit = commitOf(step, states);
  return (
    <li class={step.isFailure ? 'step is-bad' : 'step'}>
      <a class={`step-row family-${step.family ?? 'other'}`} href={sessionLink(step.sessionId, step.seq)}>
        <span class="glyph" aria-hidden="true">
          {familyGlyph(step.family ?? 'other')}
        </span>
        <span class="step-title">
          <span class="tool-word">{visibleText(step.tool)}</span> {reads > 1 && `${reads} times `}
          {step.family === 'command' && <Plain text={step.title} />}
          {step.said !== undefined && (
            <>
              {step.family === 'command' && ': '}
              <Plain text={step.said} />
            </>
          )}
          <Plain text={step.symbols?.join(', ') ?? ''} />
          {step.line !== undefined && (
            <code class="quiet">
              {' '}
              <Plain text={step.line} />
            </code>
          )}
        </span>
        <span class="step-end">
          {(step.files ?? []).map((file) => (
            <Counts key={file.path} added={file.added} removed={file.removed} />
          ))}
          <EndWord step={step} />
          {commit === 'open' && <span class="quiet">not committed</span>}
          {typeof commit === 'object' && (
            <code class="in-commit" title={visibleText(commit.subject)}>
              <span class="unseen">in commit </span>
              {visibleText(commit.hash)}
            </code>
          )}
          {(step.files ?? []).some(({ isGone }) => isGone) ? (
            <span class="quiet">removed</span>
          ) : (
            <StateChip state={step.id === null ? null : states[step.id]} />
          )}
        </span>
        <time dateTime={step.ts}>{timeOn(step.ts, ofDay, nowMs)}</time>
      </a>
      <Repaired step={step} ofDay={ofDay} nowMs={nowMs} />
      <Replaced earlier={step.replaces?.flatMap((seq) => bySeq.get(seq) ?? []) ?? []} nowMs={nowMs} />
    </li>
  );
}

/** When a failure was fixed, or that it was not. */
function Repaired({ step, ofDay, nowMs }: Pick<StepProps, 'step' | 'ofDay' | 'nowMs'>) {
  const { fixedBy, sessionId } = step;
  if (fixedBy === undefined || (fixedBy === null && checkEnd(step) !== 'failed')) return null;
  return (
    <p class={fixedBy === null ? 'cause' : 'cause is-fix'}>
      {fixedBy === null ? (
        <span class="quiet">no fix seen in this session</span>
      ) : (
        <a href={sessionLink(sessionId, fixedBy.seq)}>↑ fixed {timeOn(fixedBy.ts, ofDay, nowMs)}</a>
      )}
    </p>
  );
}

/** The time, with its day if that is not the one of `ofDay`. */
function timeOn(ts: string, ofDay: string, nowMs: number): string {
  const isSame = dayName(ts, nowMs) === dayName(ofDay, nowMs);
  return `${isSame ? '' : `${shortDay(ts, nowMs)}, `}${clock(ts)}`;
}

/** What is gone and was never committed says so by its state. */
function commitOf({ id }: FileStep, states: States): EditState['commit'] {
  const state = id === null ? undefined : states[id];
  return state?.commit === 'open' && state.verdict === 'gone' ? undefined : state?.commit;
}

/** The earlier changes whose lines a change took away. */
function Replaced({ earlier, nowMs }: { earlier: readonly FileStep[]; nowMs: number }) {
  if (earlier.length === 0) return null;
  return (
    <p class="cause is-fix">
      ↓ replaces lines of{' '}
      {earlier.map(({ seq, sessionId, ts }, at) => (
        <>
          {at > 0 && ', '}
          <a key={seq} href={sessionLink(sessionId, seq)} title={fullTime(ts)}>
            {shortDay(ts, nowMs)}, {clock(ts)}
          </a>
        </>
      ))}
    </p>
  );
}

/** Reads that follow each other are one row: the newest of them, and how many they are. */
function withFoldedReads(steps: readonly FileStep[]): { step: FileStep; reads: number }[] {
  const isRead = (step: FileStep): boolean => step.family === 'read' && !step.isFailure;
  const rows: { step: FileStep; reads: number }[] = [];
  for (const step of steps) {
    const last = rows.at(-1);
    if (last !== undefined && isRead(step) && isRead(last.step)) last.reads += 1;
    else rows.push({ step, reads: 1 });
  }
  return rows;
}
