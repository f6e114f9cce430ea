import type { RecalledCall, RecallReads } from '#memory/store';
import { plainLine } from '#query/outline';
import { familyOf, readCall, readStored } from '#reading/call';
import { onlyLooks } from '#reading/shell';
import { subjectKey, subjectsOf } from '#reading/subjects';
import { type Likeness, likeness } from './alike.ts';
import { type RecallRequest, type Run, runOf } from './asked.ts';
import { type Fix, fixOf } from './fix.ts';
import type { Memory } from './text.ts';

const recallCommandCharsMax = 110;
const recallLineCharsMax = 130;
const recallEditCharsMax = 180;
export const recallEditLinesMax = 4;
const recallCandidatesMax = 24;
const recallNeighboursMax = 60;
const recallWordsMax = 5;
const recallRepeatMs = 60_000;

/**
 * The last time that a command failed as it did just now, and its fix. Empty when no fix is known, when the failure is
 * an answer, or when the session itself failed so before.
 */
export function recallFailure(reads: RecallReads, { call: payload, asOf }: RecallRequest): readonly Memory[] {
  const now = runOf(readCall(payload));
  if (familyOf(now.call) !== 'command' || !isTrouble(now)) return [];
  const before = asOf ?? payload.ts;
  for (const found of alike(reads, payload.sessionId, now, before)) {
    const { memory, then, how } = found;
    if (memory.sessionId === payload.sessionId) return [];
    if (Date.parse(before) - Date.parse(memory.ts) < recallRepeatMs) return [];
    const fix = fixOf(reads, memory, then, before);
    if (fix === null || !isTelling(fix, then, how)) continue;
    return remedyFor(reads, found, fix);
  }
  return [];
}

interface Alike {
  readonly memory: RecalledCall;
  readonly then: Run;
  readonly how: Exclude<Likeness, null>;
}

/** A failure that says what is wrong, of a command that does work. */
function isTrouble({ call, programs, complaints, command }: Run): boolean {
  const { failed, refused, cancelled, stopped, exitCode, text } = call.result;
  const [first] = complaints;
  if (!failed || refused || cancelled || stopped || first === undefined || command === '') return false;
  // Ended by a signal: by the user or a time limit.
  if (exitCode !== null && [130, 137, 143].includes(exitCode)) return false;
  if (/interrupted by user|^CONFLICT\b/im.test(text.slice(0, 2_000))) return false;
  return !onlyLooks(programs) || (first.trouble === 'setup' && misused.test(first.shown));
}

/** The command is wrong, not its target. */
const misused =
  /(?:illegal|invalid|unknown|unrecognized|unexpected) (?:option|argument|flag)|cannot be used with|accepts at most|unrecognized/i;

function candidates(reads: RecallReads, now: Run, before: string): readonly number[] {
  const named = subjectsOf(now.call)
    .filter(({ kind }) => kind === 'check' || kind === 'command')
    .flatMap((subject) => reads.about(subjectKey(subject), before, recallCandidatesMax, ['failed', 'none']));
  const said = now.complaints[0]?.shown ?? '';
  const worded = reads.failedWith(said, recallWordsMax, before, recallNeighboursMax);
  return [...new Set([...worded.slice(0, recallCandidatesMax), ...named])].slice(0, recallCandidatesMax * 2);
}

/** The remembered failures like this one, newest first. */
function alike(reads: RecallReads, session: string, now: Run, before: string): readonly Alike[] {
  return (
    reads
      .calls(candidates(reads, now, before))
      // What another author recorded may be made to be told.
      .filter((one) => one.author === undefined && !isItself(one.sessionId === session, one.ts, before))
      .flatMap((memory) => {
        const call = readStored(memory.payloadJson);
        if (call === null) return [];
        const then = runOf(call);
        const how = likeness(now, then);
        return how === null ? [] : [{ memory, then, how }];
      })
  );
}

/** The failed call may be captured already. */
function isItself(isSameSession: boolean, ts: string, before: string): boolean {
  return isSameSession && Math.abs(Date.parse(before) - Date.parse(ts)) < 2_000;
}

/**
 * Whether the fix would help here. A command that could not begin: another command line or few commands. A complaint
 * about a place: few edits in the same place. The same complaint elsewhere: only a command that fixes such complaints.
 */
function isTelling({ acts, isOther, passed }: Fix, then: Run, how: Exclude<Likeness, null>): boolean {
  if ([...acts, passed].some(({ what, name }) => what === 'command' && destroys.test(name))) return false;
  const edits = new Set(acts.filter(({ what }) => what === 'edit').map(({ id }) => id)).size;
  const commands = acts.length - acts.filter(({ what }) => what === 'edit').length;
  if (then.complaints[0]?.trouble === 'setup')
    return edits === 0 ? isOther || (commands > 0 && commands <= 2) : edits <= 2 && commands === 0;
  const [first] = then.complaints;
  // One line cannot describe a larger edit.
  if (acts.some(({ lines }) => lines > recallEditLinesMax)) return false;
  if (first?.trouble === 'place' && edits > 0 && !acts.some(({ name }) => name === first.file)) return false;
  if (how === 'kind') return edits === 0 && commands > 0 && commands <= 2;
  return edits > 0 ? edits <= 2 && commands <= 1 : commands > 0 && commands <= 2;
}

/** What it removed then may be work now. */
const destroys =
  /\brm +-\w*[rf]\w*|\bgit +(?:reset +--hard|clean|checkout +(?:--|\.)|restore|stash +(?:drop|clear)|push\b.* (?:-f|--force))(?![\w-])/i;

function remedyFor(reads: RecallReads, { memory, then }: Alike, fix: Fix): readonly Memory[] {
  const said = plainLine(then.complaints[0]?.shown ?? '', recallLineCharsMax);
  const text = `#${memory.id} failed the same way on ${memory.ts.slice(0, 10)}: ${said}`;
  return [{ id: memory.id, why: 'failed the same way', text }, remedy(reads, then, fix)];
}

function remedy(reads: RecallReads, then: Run, { passed, acts, isOther }: Fix): Memory {
  const edits = acts.filter(({ what }) => what === 'edit');
  const commands = acts.filter(({ what }) => what === 'command');
  const edit = edits.findLast(({ name }) => name === then.complaints[0]?.file) ?? edits.at(-1);
  if (edit !== undefined) {
    const [summary] = reads.calls([edit.id]);
    const others = new Set(acts.map(({ id }) => id)).size - 1;
    const more = others === 0 ? '' : ` (and ${others} more)`;
    const text = `#${edit.id} then${more}: ${plainLine(summary?.text ?? edit.name, recallEditCharsMax)}; it passed as #${passed.id}`;
    return { id: edit.id, why: 'what fixed it', text };
  }
  const last = commands.at(-1);
  if (last === undefined || (isOther && then.complaints[0]?.trouble === 'setup'))
    return { id: passed.id, why: 'worked then', text: `#${passed.id} worked then: ${quoted(passed.name)}` };
  const ran = commands.map(({ name }) => quoted(name)).join('; ');
  const text = `#${last.id} fixed it: ${ran}; it passed as #${passed.id}`;
  return { id: last.id, why: 'what fixed it', text };
}

/** The two ends of a long command: the program, and what differs between commands. */
function quoted(command: string): string {
  const line = plainLine(command, recallCommandCharsMax * 8).replaceAll('`', "'");
  const half = recallCommandCharsMax / 2;
  const isLong = line.length > recallCommandCharsMax;
  // The cut may leave half a character.
  const shown = isLong ? plainLine(`${line.slice(0, half)} … ${line.slice(-half)}`, line.length) : line;
  return `\`${shown}\``;
}
