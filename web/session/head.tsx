import { useState } from 'preact/hooks';
import { runningMs } from '../limits.ts';
import { addressOf, Copy } from '../parts/copy.tsx';
import { EndingChip } from '../parts/ending.tsx';
import { useNow } from '../parts/hooks.ts';
import { Plain } from '../parts/plain.tsx';
import { home, sessionLink, writeRoute } from '../route.ts';
import { saved } from '../saved.ts';
import type { Session, Step } from '../shapes.ts';
import { accountOf, leftOpen, titleOf } from '../text/account.ts';
import { visibleText } from '../text/visible.ts';
import { ago, dayName, fullTime, plural, shortId, span } from '../text/words.ts';
import { Files } from './change.tsx';
import {
  type CheckSum,
  checksOf,
  commitsOf,
  type Fixes,
  filesOf,
  lastQuestion,
  requestsOf,
  type Turn,
} from './model.ts';
import { Requests } from './requests.tsx';
import { Inline } from './said.tsx';

const requestCharsMax = 200;
const checksFirst = 6;

interface HeadProps {
  readonly session: Session;
  readonly steps: readonly Step[];
  readonly turns: readonly Turn[];
  readonly fixes: Fixes;
  readonly isWhole: boolean;
  readonly goTo: (seq: number) => void;
}

/** What was wanted, what came of it, and what was left: the first thing one reads of a session. */
export function SessionHead({ session, steps, turns, fixes, isWhole, goTo }: HeadProps) {
  const account = accountOf(session.digest);
  const files = filesOf(steps);
  const checks = checksOf(steps, fixes);
  const commits = commitsOf(steps);
  const requests = requestsOf(turns);
  const title = titleOf(account) || firstRequest(steps) || `Session ${shortId(session.sessionId)}`;
  return (
    <header class="session-head">
      <p class="session-back no-print">
        <span>{saved === null && <a href={writeRoute({ ...home, view: 'sessions' })}>Sessions</a>}</span>
        <span>
          <Copy what="id" text={session.sessionId} />{' '}
          {saved === null && <Copy what="link" text={addressOf(sessionLink(session.sessionId))} />}
        </span>
      </p>
      <h2 dir="auto">
        <Plain text={title} />
      </h2>
      <Line session={session} />
      <Words lines={[['Goal', goalBelow(account.goal, title)]]} />
      {requests.length > 1 && (
        <Part name="Asked">
          <Requests requests={requests} outcome={account.outcome} isWhole={isWhole} goTo={goTo} />
        </Part>
      )}
      {(account.outcome !== '' || commits.length > 0) && (
        <Part name="Outcome">
          <Outcome text={account.outcome} commits={commits} goTo={goTo} />
        </Part>
      )}
      <Words
        lines={[
          ['Decided', account.decided],
          ['Left open', leftOpen(account.ended)],
          ['Not answered', isWhole ? lastQuestion(steps) : ''],
        ]}
      />
      {checks.length > 0 && (
        <Part name="Checks">
          <Checks checks={checks} goTo={goTo} />
        </Part>
      )}
      {files.length > 0 && (
        <Part name={plural(files.length, 'file')}>
          <Files files={files} sessionId={session.sessionId} />
        </Part>
      )}
      {!isWhole && (
        <p class="quiet" role="status">
          Reading {plural(session.events, 'event')}…
        </p>
      )}
    </header>
  );
}

function Line({ session }: { session: Session }) {
  const { client, firstTs, lastTs, events, messages, errors } = session;
  const nowMs = useNow();
  const isRunning = nowMs - Date.parse(lastTs) < runningMs;
  return (
    <p class="session-line">
      <EndingChip session={session} />
      {isRunning && <span class="flag running">running</span>}
      <time dateTime={firstTs} title={`${fullTime(firstTs)} to ${fullTime(lastTs)}`}>
        {dayName(firstTs, nowMs)}, {ago(lastTs, nowMs)}
      </time>
      <span>{span(Date.parse(lastTs) - Date.parse(firstTs))}</span>
      <span>{visibleText(client)}</span>
      <span>
        {plural(events - messages, 'call')}
        {errors > 0 && `, ${errors} failed`}
      </span>
    </p>
  );
}

function Words({ lines }: { lines: readonly (readonly [string, string])[] }) {
  return (
    <>
      {lines.map(([name, text]) =>
        text === '' ? null : (
          <Part key={name} name={name}>
            <p class="said-line" dir="auto">
              <Inline text={text} />
            </p>
          </Part>
        ),
      )}
    </>
  );
}

interface OutcomeProps {
  readonly text: string;
  readonly commits: readonly Step[];
  readonly goTo: (seq: number) => void;
}

/** The commits, and what the last report says; a list of changes has a line for each. */
function Outcome({ text, commits, goTo }: OutcomeProps) {
  const lines = text.split(' • ');
  return (
    <>
      {commits.length > 0 && (
        <ul class="commits" aria-label="Commits">
          {commits.map((step) => (
            <li key={step.seq}>
              <button type="button" class="plain" onClick={() => goTo(step.seq)}>
                ◆ <Inline text={step.commit ?? ''} />
              </button>
              {step.committed !== undefined && <span class="quiet"> {plural(step.committed, 'file')}</span>}
            </li>
          ))}
        </ul>
      )}
      {lines.length === 1 ? (
        <p class="said-line" dir="auto">
          <Inline text={text} />
        </p>
      ) : (
        <ul class="report">
          {lines.map((line, at) => (
            <li key={at} class="said-line" dir="auto">
              <Inline text={line} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Checks({ checks, goTo }: { checks: readonly CheckSum[]; goTo: (seq: number) => void }) {
  const [isWhole, setWhole] = useState(false);
  // A few more are not worth a button.
  const shown = isWhole || checks.length <= checksFirst + 2 ? checks : checks.slice(0, checksFirst);
  return (
    <>
      <ul class="checks">
        {shown.map((check) => (
          <li key={check.name}>
            <button type="button" onClick={() => goTo(check.seq)} title={visibleText(check.name)}>
              <CheckEnd {...check} />
              <code>
                <Plain text={check.name} />
              </code>
              {check.runs > 1 && (
                <span class="quiet">
                  {plural(check.runs, 'run')}
                  {check.failures > 0 && `, ${check.failures} failed`}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {shown.length < checks.length && (
        <button type="button" class="plain" onClick={() => setWhole(true)}>
          Show all {checks.length} checks
        </button>
      )}
    </>
  );
}

function CheckEnd({ hasPassed, isFixed }: CheckSum) {
  if (hasPassed) return <span class="end-good">✓ passed</span>;
  if (isFixed) return <span class="end-good">✓ fixed later</span>;
  return <span class="end-bad">✗ failed</span>;
}

function Part({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div class="session-part">
      <h3>{name}</h3>
      <div>{children}</div>
    </div>
  );
}

/** What the title does not say yet. */
function goalBelow(goal: string, title: string): string {
  const lead = `${title} (plan): `;
  return goal === title ? '' : goal.startsWith(lead) ? goal.slice(lead.length) : goal;
}

function firstRequest(steps: readonly Step[]): string {
  const prompt = steps.find(({ kind }) => kind === 'prompt');
  return (prompt?.title ?? '').replace(/\s+/g, ' ').slice(0, requestCharsMax);
}
