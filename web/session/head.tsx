import { useEffect } from 'preact/hooks';
import { runningMs } from '../limits.ts';
import { addressOf, Copy } from '../parts/copy.tsx';
import { EndingChip } from '../parts/ending.tsx';
import { useNow } from '../parts/hooks.ts';
import { From } from '../parts/marks.tsx';
import { home, sessionLink, writeRoute } from '../route.ts';
import { saved } from '../saved.ts';
import type { Session, Step } from '../shapes.ts';
import { type Account, accountOf, leftOpen, publishedBy, titleOf } from '../text/account.ts';
import { visibleText } from '../text/visible.ts';
import { ago, clock, dayName, fullTime, plural, shortId, span } from '../text/words.ts';
import { Files } from './change.tsx';
import { Checks } from './checks.tsx';
import {
  checksOf,
  commitsOf,
  type Fixes,
  filesOf,
  isFailure,
  lastQuestion,
  manualChecks,
  nextSteps,
  replyWith,
  requestBefore,
  requestsOf,
  type Turn,
  unfinishedRequest,
} from './model.ts';
import { Requests } from './requests.tsx';
import { Inline, Said } from './said.tsx';

const requestCharsMax = 200;
const titleCharsMax = 140;
const outcomeCharsFirst = 600;

interface HeadProps {
  readonly session: Session;
  readonly steps: readonly Step[];
  readonly turns: readonly Turn[];
  readonly fixes: Fixes;
  readonly isWhole: boolean;
  readonly goTo: (seq: number) => void;
}

/** What was wanted, what came of it, and what was left: the first thing one reads of a session. */
export function SessionHead(props: HeadProps) {
  const { session, steps, turns, isWhole, goTo } = props;
  const account = accountOf(session.digest);
  const named = titleOf(account) || firstRequest(steps) || `Session ${shortId(session.sessionId)}`;
  // A long goal is read below, where it has the width for it.
  const title = named.length > titleCharsMax ? (requestsOf(turns)[0]?.text ?? named) : named;
  useEffect(() => {
    document.title = visibleText(`${title} · memd`);
  }, [title]);
  return (
    <header class={isWhole ? 'session-head' : 'session-head is-growing'}>
      <p class="session-back no-print">
        <span>{saved === null && <a href={writeRoute({ ...home, view: 'sessions' })}>Sessions</a>}</span>
        <span>
          <Copy what="id" text={session.sessionId} />{' '}
          {saved === null && <Copy what="link" text={addressOf(sessionLink(session.sessionId))} />}
        </span>
      </p>
      <h2 dir="auto">
        <Inline text={title} />
      </h2>
      <Line session={session} failures={steps.filter(isFailure)} goTo={goTo} />
      {isWhole ? (
        <Parts {...props} title={title} account={account} />
      ) : (
        <p class="quiet" role="status">
          Reading {plural(session.events, 'event')}…
        </p>
      )}
    </header>
  );
}

/** What is known once the whole session is read. */
function Parts({
  session,
  steps,
  turns,
  fixes,
  goTo,
  title,
  account,
}: HeadProps & { title: string; account: Account }) {
  const files = filesOf(steps);
  const checks = checksOf(steps, fixes);
  const commits = commitsOf(steps);
  const requests = requestsOf(turns);
  const isRunning = useNow() - Date.parse(session.lastTs) < runningMs;
  const reply = replyWith(account.outcome, steps);
  return (
    <>
      <Words lines={[['Goal', [requests[0]?.text === account.goal ? '' : goalBelow(account.goal, title)]]]} />
      {requests.length > 1 && (
        <Part name="Asked">
          <Requests requests={requests} outcome={account.outcome} goTo={goTo} />
        </Part>
      )}
      {!isRunning && <Words lines={[['Ends during', unfinishedRequest(turns)]]} />}
      {(account.outcome !== '' || commits.length > 0) && (
        <Part name="Outcome">
          <Outcome
            text={account.outcome}
            reply={reply}
            request={reply === null ? null : requestBefore(reply, turns)}
            commits={commits}
            published={publishedBy(account)}
            goTo={goTo}
          />
        </Part>
      )}
      <Words
        lines={[
          ['Decided', account.decided.split(/; (?=“|plan “|on refusing: )/)],
          ['Left open', [leftOpen(account), ...nextSteps(steps)]],
          ['Check by hand', manualChecks(steps)],
          ['Open question', isRunning ? [] : [lastQuestion(steps)]],
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
    </>
  );
}

interface LineProps {
  readonly session: Session;
  readonly failures: readonly Step[];
  readonly goTo: (seq: number) => void;
}

function Line({ session, failures, goTo }: LineProps) {
  const { client, firstTs, lastTs, events, messages } = session;
  const nowMs = useNow();
  const isRunning = nowMs - Date.parse(lastTs) < runningMs;
  const [first] = failures;
  return (
    <p class="session-line">
      <EndingChip session={session} />
      <From author={session.author} />
      {isRunning && <span class="flag running">running</span>}
      <time dateTime={firstTs} title={`${fullTime(firstTs)} to ${fullTime(lastTs)}`}>
        {dayName(firstTs, nowMs)}, {clock(firstTs)} to{' '}
        {dayName(firstTs, nowMs) !== dayName(lastTs, nowMs) && `${dayName(lastTs, nowMs)}, `}
        {clock(lastTs)}
      </time>
      <span>{ago(lastTs, nowMs)}</span>
      <span>{span(Date.parse(lastTs) - Date.parse(firstTs))}</span>
      <span>{visibleText(client)}</span>
      <span>
        {plural(events - messages, 'call')}
        {first !== undefined && (
          <>
            {', '}
            <button type="button" class="plain" title="To the first failure" onClick={() => goTo(first.seq)}>
              {failures.length} failed
            </button>
          </>
        )}
      </span>
    </p>
  );
}

function Words({ lines }: { lines: readonly (readonly [string, readonly string[]])[] }) {
  return (
    <>
      {lines
        .map(([name, texts]) => ({ name, said: texts.filter((text) => text !== '') }))
        .filter(({ said }) => said.length > 0)
        .map(({ name, said }) => (
          <Part key={name} name={name}>
            {said.map((text) => (
              <p key={text} class="said-line" dir="auto">
                <Inline text={text} />
              </p>
            ))}
          </Part>
        ))}
    </>
  );
}

interface OutcomeProps {
  readonly text: string;
  /** The whole reply that the text is from. */
  readonly reply: Step | null;
  /** The request that it answers, when others came after it. */
  readonly request: { readonly number: number; readonly seq: number } | null;
  readonly commits: readonly Step[];
  /** `pushed`, `pull request opened`, as the digest says it. */
  readonly published: readonly string[];
  readonly goTo: (seq: number) => void;
}

/** The commits, and the last reply that reports changes, as it was written. */
function Outcome({ text, reply, request, commits, published, goTo }: OutcomeProps) {
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
      {published.length > 0 && <p class="quiet">{published.join(', ')}</p>}
      {request !== null && (
        <p>
          <button type="button" class="plain" onClick={() => goTo(request.seq)}>
            Reply to request {request.number}
          </button>
        </p>
      )}
      {reply === null ? (
        <p class="said-line" dir="auto">
          <Inline text={text} />
        </p>
      ) : (
        <Said text={reply.title} first={outcomeCharsFirst} />
      )}
    </>
  );
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
