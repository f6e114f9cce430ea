import { useEffect } from 'preact/hooks';
import type { Ending, Said as SaidWords } from '../../src/memory/account/account.ts';
import { runningMs } from '../limits.ts';
import { addressOf, Copy } from '../parts/copy.tsx';
import { EndingChip } from '../parts/ending.tsx';
import { firstOf, useFold } from '../parts/fold.tsx';
import { useNow } from '../parts/hooks.ts';
import { From } from '../parts/marks.tsx';
import { home, sessionLink, writeRoute } from '../route.ts';
import { saved } from '../saved.ts';
import type { OpenNow, Session, SessionAccount } from '../shapes.ts';
import { oneLine } from '../text/cut.ts';
import { visibleText } from '../text/visible.ts';
import { ago, clock, count, dayName, fullTime, plural, sessionName, shortDay, took } from '../text/words.ts';
import { Files } from './change.tsx';
import { Checks } from './checks.tsx';
import { mainRequests } from './model.ts';
import { Requests } from './requests.tsx';
import { Inline, Said } from './said.tsx';

const titleCharsMax = 200;
const outcomeCharsFirst = 600;
const linesFirst = 6;
/** Longer ago, the day says more than the number of days. */
const weekMs = 7 * 86_400_000;

interface HeadProps {
  readonly session: Session;
  readonly account: SessionAccount | null;
  /** The whole reply that the outcome is from. */
  readonly reply: string | null;
  /** What git says of the work that no call committed; null until it is known. */
  readonly now: OpenNow | null;
  /** Where there are several. */
  readonly withClient: boolean;
  readonly goTo: (seq: number) => void;
}

/** What was wanted, what came of it, and what was left: the first thing one reads of a session. */
export function SessionHead(props: HeadProps) {
  const { session, account, now } = props;
  const named = sessionName(session);
  const title = oneLine(named, titleCharsMax);
  // Of what was changed git may say that it is committed since.
  const stored = session.brief?.ending ?? null;
  useEffect(() => {
    document.title = visibleText(`${title} · memd`);
  }, [title]);
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
        <Inline text={title} />
      </h2>
      <Line {...props} ending={now?.ending ?? (stored === 'changed' ? null : stored)} />
      {account !== null && <Parts {...props} title={title} account={account} />}
    </header>
  );
}

interface PartsProps extends HeadProps {
  readonly account: SessionAccount;
  readonly title: string;
}

function Parts({ session, account, reply, now, goTo, title }: PartsProps) {
  const { goal, outcome, commits, plan, left, byHand, question, checks, files, ended } = account;
  const isRunning = useNow() - Date.parse(session.lastTs) < runningMs;
  const texts = (said: readonly { readonly text: string }[]): string[] => said.map(({ text }) => text);
  const { requests, asked, isGoalSaid } = askedIn(account, title);
  const during = isRunning ? [] : ended.during;
  const isMarked = asked.some(({ seq }) => seq === during[0]?.seq);
  const isAsked = (text: string): boolean =>
    [...texts(asked), goal?.text ?? ''].some((one) => has(one, text));
  // Below the title of a commit the goal needs its own.
  const lead = goal === null || ['', title].includes(goal.title) ? '' : `${goal.title}: `;
  return (
    <>
      <Words lines={[['Goal', goal === null || isGoalSaid ? [] : [`${lead}${goal.text}`]]]} />
      {asked.length > 0 && (
        <Part name="Asked">
          <Requests {...{ requests, during, goTo }} outcome={outcome?.seq ?? null} />
        </Part>
      )}
      {!isRunning && (
        <Words
          lines={[
            ['Ends during', isMarked ? [] : texts(during)],
            ['Ended by an API error', texts([ended.error ?? []].flat())],
          ]}
        />
      )}
      {(outcome !== null || commits.length > 0) && (
        <Part name="Outcome">
          <Outcome account={account} reply={reply} goTo={goTo} />
        </Part>
      )}
      <Words
        lines={[
          ['Decided', (session.brief?.decided ?? []).filter((text) => !isAsked(text))],
          ['Since then', now?.later ?? []],
          ['Left open', [...stepsLeft(plan), ...(now?.open ?? []), ...texts(left)]],
          ['Check by hand', texts(byHand)],
          ['Open question', isRunning || question === null ? [] : [question.text]],
        ]}
      />
      {checks.some(({ isMoot }) => !isMoot) && (
        <Part name="Checks">
          <Checks checks={checks} goTo={goTo} />
        </Part>
      )}
      {(files.length > 0 || now?.commits.some(({ foreign }) => foreign.length > 0)) && (
        <Part name={filesWords(account)}>
          <Files files={files} sessionId={session.sessionId} commits={now?.commits ?? []} />
          {account.mayBeMore && files.length > 0 && <p class="quiet">A command may have changed others.</p>}
        </Part>
      )}
    </>
  );
}

/** The requests, those of them that are shown first, and whether these or the title say the goal. */
function askedIn({ goal, requests: all }: SessionAccount, title: string) {
  // The goal has what the first request asks for, mostly in more words.
  const requests = all.map((one) =>
    one.seq === goal?.seq && has(goal.text, one.text) ? { ...one, text: goal.text } : one,
  );
  // The only request says what was wanted, unless the title does.
  const isShown = requests.length > 1 || (goal === null && requests[0]?.text !== title);
  const asked: readonly SaidWords[] = isShown ? mainRequests(requests) : [];
  const isGoalSaid = goal === null || [title, ...asked.map(({ text }) => text)].includes(goal.text);
  return { requests, asked, isGoalSaid };
}

/** Whether `text` says a sentence, whatever the signs around it. */
function has(text: string, sentence: string): boolean {
  const [all, part] = [text, sentence].map((one) =>
    one
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  );
  return ` ${all} `.includes(` ${part} `);
}

function filesWords({ files, filesCount }: SessionAccount): string {
  if (files.length === 0) return 'Files';
  return (filesCount > files.length ? `${count(files.length)} of ` : '') + plural(filesCount, 'file');
}

function stepsLeft(plan: SessionAccount['plan']): string[] {
  if (plan === null || plan.open.length === 0) return [];
  return [`plan, ${plan.done} of ${plan.of} steps done: ${plan.open.join('; ')}`];
}

interface LineProps extends Pick<HeadProps, 'session' | 'account' | 'withClient' | 'goTo'> {
  readonly ending: Ending | null;
}

function Line({ session, account, ending, withClient, goTo }: LineProps) {
  const { client, firstTs, lastTs, events, messages } = session;
  const nowMs = useNow();
  const isRunning = nowMs - Date.parse(lastTs) < runningMs;
  const { count: failed, first } = account?.failures ?? { count: 0, first: 0 };
  const wallMs = Date.parse(lastTs) - Date.parse(firstTs);
  return (
    <p class="session-line">
      <EndingChip ending={ending} files={session.brief?.filesCount ?? 0} />
      <From author={session.author} />
      {isRunning && <span class="flag running">running</span>}
      <time dateTime={firstTs} title={`${fullTime(firstTs)} to ${fullTime(lastTs)}`}>
        {dayName(firstTs, nowMs)}, {clock(firstTs)} to{' '}
        {dayName(firstTs, nowMs) !== dayName(lastTs, nowMs) && `${shortDay(lastTs, nowMs)}, `}
        {clock(lastTs)}
      </time>
      {nowMs - Date.parse(lastTs) < weekMs && <span>{ago(lastTs, nowMs)}</span>}
      <span title="The time between its events, without pauses of 15 minutes and more and what comes before a prompt">
        {took(session.brief?.workMs, wallMs)}
      </span>
      {withClient && <span>{visibleText(client)}</span>}
      <span>
        {plural(events - messages, 'call')}
        {failed > 0 && (
          <>
            {', '}
            <button type="button" class="plain" title="To the first failure" onClick={() => goTo(first)}>
              {count(failed)} failed
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
            <SaidLines texts={said} />
          </Part>
        ))}
    </>
  );
}

function SaidLines({ texts }: { texts: readonly string[] }) {
  const [shown, more] = useFold(texts, firstOf(texts, linesFirst), () => `Show all ${texts.length}`);
  return (
    <>
      {shown.map((text) => (
        <p key={text} class="said-line" dir="auto">
          <Inline text={text} />
        </p>
      ))}
      {more}
    </>
  );
}

/** The commits, and the last reply that reports changes, as it was written. */
function Outcome({ account, reply, goTo }: Pick<PartsProps, 'account' | 'reply' | 'goTo'>) {
  const { outcome, commits, requests, ended } = account;
  const [shown, more] = useFold(commits, firstOf(commits, linesFirst), () => `Show all ${commits.length}`);
  const earlier = requests.slice(0, -1).find(({ seq }) => seq === outcome?.request);
  const published = [ended.isPushed ? 'pushed' : '', ended.isPullRequest ? 'pull request opened' : ''];
  const words = published.filter((part) => part !== '').join(', ');
  return (
    <>
      {commits.length > 0 && (
        <ul class="commits" aria-label="Commits">
          {shown.map(({ seq, text, files }) => (
            <li key={seq}>
              <button type="button" class="plain" onClick={() => goTo(seq)}>
                ◆ <Inline text={text} />
              </button>
              {files !== null && <span class="quiet"> {plural(files, 'file')}</span>}
            </li>
          ))}
        </ul>
      )}
      {more}
      {words !== '' && <p class="quiet">{words}</p>}
      {earlier !== undefined && (
        <p>
          <button type="button" class="plain" onClick={() => goTo(earlier.seq)}>
            Said before the last request
          </button>
        </p>
      )}
      {reply === null ? (
        <p class="said-line" dir="auto">
          <Inline text={outcome?.text ?? ''} />
        </p>
      ) : (
        <Said text={reply} first={outcomeCharsFirst} />
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
