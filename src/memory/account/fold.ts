import { leftOutMark, type Payload, type ToolFamily } from '#core/event';
import { digestNamesMax } from '#core/limits';
import { isShrunkPayload, type SessionEvent } from '#memory/store';
import {
  argument,
  type Call,
  familyOf,
  fromRoot,
  parsePayload,
  readCall,
  refusalReason,
} from '#reading/call';
import { hidesGitFailure, isFailure } from '#reading/checks';
import { planShown, type Subject, subjectsOf } from '#reading/subjects';
import { takesAllBack } from '#reading/talk';
import { oneLine } from '#reading/text';
import { type Agent, accountForm, type SessionAccount } from './account.ts';
import { byCount } from './by-path.ts';
import { Commits } from './commits.ts';
import { Conversation } from './conversation.ts';
import { asked, Decided, withoutLead } from './decided.ts';
import { Files } from './files.ts';
import { requestsOf, withMain } from './requests.ts';
import { Runs } from './runs.ts';
import { Steps } from './steps.ts';
import { termsOf } from './terms.ts';
import type { Place } from './turn.ts';
import { WorkTime } from './work-time.ts';
import { acts, changesUnseen, onlyReads, pushes } from './worth.ts';

const agentsMax = 20;
const requestsMax = 100;
const lookedMax = 12;

type Take = (subjects: readonly Subject[], call: Call, place: Place) => void;

/** Folds the events of a session, in the order of their time, into its account. */
export class AccountFold {
  readonly #said = new Conversation();
  readonly #files = new Files();
  readonly #runs = new Runs();
  readonly #steps = new Steps();
  readonly #sought = new Map<string, number>();
  readonly #commits = new Commits();
  readonly #decided = new Decided();
  readonly #agents: Agent[] = [];
  readonly #failures = { count: 0, first: 0 };
  readonly #ended = { isPushed: false, isPullRequest: false, pushedAt: 0 };
  #mayBeMore = false;
  /** An agent may have written files. */
  #hasWriters = false;
  /** Something wrote files that no call shows: their number is only known to git. */
  #hasUnseen = false;
  readonly #worked = new WorkTime();
  #root: string | null = null;
  /** The event that was taken last. */
  last: Place | null = null;
  /** Retention has shortened some of the events. */
  isShrunk = false;
  events = 0;

  get isSilent(): boolean {
    return this.#said.isEmpty();
  }

  take(event: SessionEvent): void {
    this.events += 1;
    const place = { seq: event.seq, ts: event.ts, at: this.events };
    this.last = place;
    this.isShrunk ||= isShrunkPayload(event.payloadJson);
    const parsed = parsePayload(event.payloadJson);
    if (!('payload' in parsed)) {
      this.#worked.until(event.ts);
      return;
    }
    const payload = withoutMarks(parsed.payload);
    const { message, output } = payload;
    if (message === undefined) {
      const call = readCall(payload);
      this.#worked.call(event.ts, call);
      this.#call(call, place);
      return;
    }
    const isTyped = message.role === 'user' && message.agentId === null;
    this.#worked.message(event.ts, isTyped, message.agentId !== null);
    this.#said.take(payload, place);
    if (isTyped && typeof output === 'string' && takesAllBack(output)) this.#files.reverted();
  }

  /** Prompts that versions before schema 5 kept outside of the events. */
  prompts(texts: readonly string[]): void {
    for (const [at, text] of texts.entries()) this.#said.prompt(text, { seq: -1 - at, ts: '', at: 0 });
  }

  #call(made: Call, place: Place): void {
    this.#root ??= made.cwd;
    const call = fromRoot(made, this.#root);
    const family = familyOf(call);
    const subjects = subjectsOf(call);
    const commitsBefore = this.#commits.made.length;
    if (call.result.refused) {
      this.#decided.refused(call, place);
      this.#said.refused(refusalReason(call.result));
    }
    const changed = this.#files.take(call, place);
    this.#runs.take(made, call, this.#root, place);
    const acted = acts(call, family);
    if (isFailure(made)) {
      this.#failures.first ||= place.seq;
      this.#failures.count += 1;
    }
    if (family === 'command') this.#wroteUnseen(call, acted, place);
    this.#byFamily[family]?.(subjects, call, place);
    this.#said.called(place, {
      files: changed,
      acted,
      committed: this.#commits.made.length > commitsBefore,
      plan: withoutLead(planShown(call) ?? '') || null,
      asks: family === 'question' && call.result.running ? asked(call) : '',
    });
    // Copilot CLI
    if (call.tool === 'task_complete' && !call.result.failed) this.#said.completed(place, call.result.text);
  }

  /** What a call of a family says beyond its files and its runs. */
  readonly #byFamily: Partial<Record<ToolFamily, Take>> = {
    agent: (_, call, place) => this.#agent(call, place),
    question: (_, call, place) => {
      for (const answer of this.#decided.answered(call, place)) this.#said.chose(answer);
    },
    plan: (subjects, call, place) => this.#planned(subjects, call, place),
    command: (subjects, call, place) => {
      this.#ran(subjects, call, place);
      this.#looked(subjects);
    },
    search: (subjects) => this.#looked(subjects),
    web: (subjects) => this.#looked(subjects),
  };

  #wroteUnseen(call: Call, acted: boolean, place: Place): void {
    if (!changesUnseen(call, acted)) return;
    this.#mayBeMore = true;
    if (!acted) return;
    this.#hasUnseen = true;
    this.#files.git.wrote(call, place);
  }

  #agent(call: Call, { seq }: Place): void {
    const name = argument(call, 'name', 'subagent_type', 'agent', 'agent_type');
    this.#hasWriters ||= !call.result.failed && !onlyReads.test(argument(call, 'subagent_type') || name);
    const text = oneLine(argument(call, 'description', 'prompt', 'task', 'message'), 120);
    if (this.#agents.length < agentsMax) this.#agents.push({ seq, name: oneLine(name, 60), text });
  }

  #planned(subjects: readonly Subject[], call: Call, place: Place): void {
    this.#steps.take(call, place);
    if (!call.result.failed) this.#decided.accepted(subjects, place);
  }

  #looked(subjects: readonly Subject[]): void {
    for (const { kind, name } of subjects)
      if (
        (kind === 'query' || kind === 'page') &&
        (this.#sought.has(name) || this.#sought.size < digestNamesMax)
      )
        this.#sought.set(name, (this.#sought.get(name) ?? 0) + 1);
  }

  #ran(subjects: readonly Subject[], call: Call, place: Place): void {
    const named = subjects.flatMap(({ kind, name }) => (kind === 'decision' ? [name] : []));
    if (this.#commits.take(named, call, place)) {
      this.#files.committed();
      for (const { path, place: by } of this.#files.staged()) this.#said.wrote(path, by.at);
      Object.assign(this.#ended, { isPushed: false, isPullRequest: false });
    }
    const isRefused = call.result.failed || hidesGitFailure(call);
    for (const { kind, name, outcome } of subjects) {
      if (kind !== 'command' || outcome === 'failed' || isRefused || call.result.running) continue;
      if (pushes({ kind, name })) Object.assign(this.#ended, { isPushed: true, pushedAt: place.at });
      if (pushes({ kind, name }) || /^git (?:merge|rebase|cherry-pick|revert|am|pull)\b|^gh pr /.test(name))
        this.#files.committed();
      if (/^gh pr create\b/.test(name)) this.#ended.isPullRequest = true;
    }
    this.#commits.rewritten(call, this.#ended.pushedAt);
  }

  /** Git counts also what commands and agents wrote, and what lay there from others. */
  #changed(): Pick<SessionAccount, 'files' | 'filesCount' | 'mayBeMore'> {
    const { files, count: seen } = this.#files.changed();
    const [only, ...others] = this.#commits.made;
    const most = Math.max(...this.#commits.made.map(({ commit }) => commit.files ?? 0));
    const filesCount = this.#hasUnseen || this.#hasWriters ? Math.max(seen, most) : seen;
    const isWhole =
      !this.#hasWriters &&
      others.length === 0 &&
      only?.commit.files === filesCount &&
      files.every(({ isOpen }) => !isOpen);
    const mayBeMore = (this.#mayBeMore || this.#hasWriters || most > seen) && !isWhole;
    return { files, filesCount, mayBeMore };
  }

  account(): SessionAccount {
    const said = this.#said;
    const goal = said.goal();
    const last = said.last();
    const byRequest = said.asked();
    const requests = requestsOf(byRequest, this.#files);
    const { pushedAt, ...ended } = this.#ended;
    const planAt = this.#steps.place?.at ?? 0;
    return {
      form: accountForm,
      ...{ root: this.#root, isAgent: said.isOfAgent(), worked: [...this.#worked.stretches], goal },
      // The first ones and the last.
      requests: requests.filter((_, at) => at < requestsMax / 2 || at >= requests.length - requestsMax / 2),
      // Some say it twice.
      last: last === null || last.seq === goal?.seq || goal?.text.startsWith(last.text) ? null : last,
      outcome: withMain(
        said.outcome((path) => this.#files.isChanged(path), byRequest),
        requests,
        byRequest,
        this.#files,
      ),
      commits: this.#commits
        .telling(byRequest.at(-1)?.turns.map(({ prompt }) => prompt) ?? [])
        .slice(-digestNamesMax),
      decided: this.#decided.withSaid(said.decisions, goal),
      checks: this.#runs.checks(),
      ...this.#changed(),
      ...{ left: said.left(), question: said.question(), byHand: said.manual },
      plan: this.#steps.left({
        replies: said.repliesAfter(planAt).map(({ text }) => text),
        commits: this.#commits.made.filter(({ at }) => at > planAt).map(({ commit }) => commit.text),
        isPushed: pushedAt > planAt,
        goesOn: said.workedAfter(planAt),
        checksPass: this.#runs.history.allPass(({ at }) => at > planAt),
      }),
      ended: {
        ...ended,
        during: said.during(),
        ...(said.error && { error: said.error }),
        stuck: this.#runs.stuck,
      },
      ...{ agents: this.#agents, commands: this.#runs.commands(), troubles: this.#runs.troubles() },
      failures: { ...this.#failures },
      ...{ missing: this.#runs.missing(), fixes: this.#runs.fixes },
      looked: {
        files: this.#files.read().slice(0, lookedMax),
        words: byCount(this.#sought).slice(0, lookedMax),
      },
    };
  }

  /** Search terms that the digest does not hold. */
  terms({ commits, decided }: SessionAccount): string {
    const { paths, symbols } = this.#files.names();
    return termsOf([
      ...paths,
      ...commits.map(({ text }) => text),
      ...decided.flatMap(({ text, by }) => (by === 'words' ? [] : [text])),
      ...symbols,
      ...this.#runs.history.names(),
      ...this.#said.texts(),
      ...this.#sought.keys(),
    ]);
  }
}

/** What an earlier version left out for want of time was not said, nor printed. */
function withoutMarks(payload: Payload): Payload {
  const { input, output } = payload;
  if (input !== leftOutMark && output !== leftOutMark) return payload;
  return {
    ...payload,
    input: input === leftOutMark ? null : input,
    output: output === leftOutMark ? '' : output,
  };
}
