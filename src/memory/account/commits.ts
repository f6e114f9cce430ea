import { type Call, commandText } from '#reading/call';
import { committed, hadNothing } from '#reading/checks';
import type { Commit } from './account.ts';
import type { Place } from './turn.ts';

const promptCharsMax = 300;

/** The commits of a session, in the order in which they were made. */
export class Commits {
  readonly made: { commit: Commit; readonly at: number }[] = [];

  /** Those that say what was done: a merge does not, unless one of the last `prompts` asks for it or nothing else was committed. */
  telling(prompts: readonly string[]): Commit[] {
    const all = this.made.map(({ commit }) => commit);
    const own = all.filter(({ text }) => !mergesOnly.test(text));
    const isAsked = prompts.some((prompt) =>
      /\bmerg(?:e|ing)\b|\bconfli/i.test(prompt.slice(0, promptCharsMax)),
    );
    return own.length > 0 && !isAsked ? own : all;
  }

  /** `named`: the subjects that the command states. Whether the call committed. */
  take(named: readonly string[], call: Call, place: Place): boolean {
    const { text } = call.result;
    const command = commandText(call);
    const printed = (makes.test(command) && text.match(printedCommits)) || [];
    const merge = /^Merge made by /m.test(text) ? mergeOf.exec(command)?.[2] : undefined;
    const isMade = printed.length > 0 || committed(command, call.result);
    const isQuiet = quiet.test(command) && !call.result.failed && !hadNothing(call.result);
    // A loop states one subject for several, and of several some may find nothing to commit.
    const isPrinted = printed.length > 1 || (printed.length === 1 && named.length > 1 && !isQuiet);
    if (isPrinted) this.#addPrinted(printed, call, place);
    else if (isMade) this.#addNamed(named, printed, call, place);
    if (merge !== undefined) this.#add(merge, '', call, place);
    return isMade || merge !== undefined;
  }

  #addPrinted(printed: readonly string[], call: Call, place: Place): void {
    for (const one of printed) {
      // Git dates what it did not make new.
      if (amends.test(commandText(call)) && /^ Date: /m.test(one)) this.made.pop();
      this.#add('', one, call, place);
    }
  }

  /** `--amend --no-edit`, an editor and `git revert` state none. */
  #addNamed(named: readonly string[], printed: readonly string[], call: Call, place: Place): void {
    // An amended commit replaces the one before.
    const before = amends.test(commandText(call)) ? this.made.pop()?.commit.text : undefined;
    for (const name of named.length > 0 ? named : ['']) {
      const isOne = named.length < 2;
      const own = isOne ? call.result.text : (printed.find((one) => one.includes(`] ${name}`)) ?? '');
      this.#add(name, own, call, place, before);
    }
  }

  #add(name: string, printed: string, call: Call, { seq, ts, at }: Place, before = ''): void {
    const command = commandText(call);
    const found =
      printedCommit.exec(printed) ?? (isLogged(name, command) ? loggedCommit.exec(printed) : null);
    const [, hash = null, subject = ''] = found ?? [];
    const text = isSubject(name) ? name : subject || before;
    if (text === '') return;
    const last = this.made.at(-1)?.commit;
    const isOther = last?.hash != null && hash !== null && last.hash !== hash && !amends.test(command);
    if (last?.text === text && !isOther) this.made.pop();
    this.made.push({ at, commit: { seq, ts, text, hash, files: filesIn(printed, call) } });
  }

  /** Commits that are written again have other hashes; `since`: those before are pushed. */
  rewritten({ result }: Call, since: number): void {
    if (!/^Successfully rebased and updated /m.test(result.text)) return;
    for (const one of this.made) if (one.at > since) one.commit = { ...one.commit, hash: null };
  }
}

/** A variable or a document of the shell is no subject. */
function isSubject(name: string): boolean {
  return name !== '' && !/^[@$]/.test(name);
}

/** A quiet commit is seen in the log behind it. */
function isLogged(name: string, command: string): boolean {
  const behind = command.slice(Math.max(0, command.lastIndexOf('git commit')));
  return /^[@$]/.test(name) && /\bgit (?:-\S+ ){0,4}log\b/.test(behind);
}

/** Null for a merge, which brings also what others changed. */
function filesIn(printed: string, { result }: Call): number | null {
  const count = /^ (\d{1,6}) files? changed\b/m.exec(printed)?.[1];
  return count === undefined || /^Merge made by /m.test(result.text) ? null : Number(count);
}

/** In git's own words. */
export const mergesOnly =
  /^Merge (?:(?:remote-tracking )?branch(?:es)? ['"]|tag |commit |pull request #|\S+ into \S+$|(?:origin|upstream)\/\S+$)/;
const makes = /\bgit\s(?:[^;&|\n]{0,80}\s)?(?:commit|cherry-pick|revert)(?:\s|$)/;
const quiet = /\bcommit\b[^&|;]{0,2000}\s-(?:-quiet|[a-z]{0,4}q)/;
const loggedCommit = /^([0-9a-f]{7,40}) (\S.{1,300})$/m;
const printedCommit = /^\[[^\]\n]{1,200} ([0-9a-f]{7,40})\] (.{1,300})$/m;
/** With the lines below it, up to the next. */
const printedCommits = /^\[[^\]\n]{1,200} [0-9a-f]{7,40}\] .{1,300}$(?:\r?\n(?!\[).{0,400}){0,6}/gm;
const mergeOf = /\bgit merge\b[^;&|\n]{0,1000}?\s-m\s+@?(["'])\s*([^\n]+?)(?:\1|\r?\n)/;
const amends = /\bcommit\b[^&|;]{0,2000}--amend\b/;
