import { recallCandidatesMax, recallLineCharsMax, recallNeighboursMax, recallWordsMax } from '../limits.ts';
import { plainLine } from '../outline/index.ts';
import { isShrunkPayload, type RecalledCall, type RecallReads } from '../store/index.ts';
import {
  changesIn,
  familyOf,
  readCall,
  refusalReason,
  type Subject,
  subjectKey,
  subjectsOf,
} from '../summarise/index.ts';
import { payloadIn, type RecallRequest } from './asked.ts';
import type { Memory } from './text.ts';

/** The files that a call is about to edit. */
export function editedFiles({ call }: RecallRequest): readonly Subject[] {
  if (familyOf(readCall(call)) !== 'edit') return [];
  return subjectsOf(call).filter(({ kind }) => kind === 'file');
}

/**
 * What is worth telling before a file is edited: what somebody pinned about it, a contradiction, lines about to be written that
 * another session took out again, lines that the user refused with a reason.
 */
export function recallEdit(reads: RecallReads, request: RecallRequest, file: Subject): readonly Memory[] {
  const { call, asOf } = request;
  const before = asOf ?? call.ts;
  const own = reads.about(subjectKey(file), before, recallNeighboursMax);
  const known = reads
    .calls(own.slice(0, recallCandidatesMax))
    .filter(({ sessionId }) => sessionId !== call.sessionId);
  return [
    ...known.filter(({ pinned }) => pinned).map(pinnedMemory),
    ...disputed(reads, known, before),
    ...takenOut(call, known),
    ...refused(reads, call, file, before),
  ];
}

function pinnedMemory({ id, ts, text }: RecalledCall): Memory {
  return {
    id,
    why: 'pinned about this file',
    text: `#${id} pinned ${ts.slice(0, 10)}: ${plainLine(text, recallLineCharsMax * 2)}`,
  };
}

function disputed(reads: RecallReads, known: readonly RecalledCall[], before: string): readonly Memory[] {
  const edges = reads
    .edges(
      known.map(({ id }) => id),
      before,
    )
    .filter(({ kind }) => kind === 'contradicts');
  return edges.slice(0, 1).map(({ from, evidence }) => ({
    id: from,
    why: 'a contradiction about this file',
    text: `#${from} disagrees: ${plainLine(evidence, recallLineCharsMax * 2)}`,
  }));
}

/** Lines that are about to be written, which another session's edit took out of the file, and no later one brought back. */
function takenOut(call: RecallRequest['call'], known: readonly RecalledCall[]): readonly Memory[] {
  const planned = linesOf(call);
  const wanted = planned.added.filter(
    (line) => !planned.removed.includes(line) && !planned.around.includes(line),
  );
  if (wanted.length === 0) return [];
  const back = new Set<string>();
  const made = wholeEdits(known);
  for (const { memory, lines } of made) {
    const gone = lines.removed.filter((line) => !lines.added.includes(line) && !back.has(line));
    const same = wanted.filter((line) => gone.includes(line));
    // Taken out by whoever had written them is what makes it a change of mind.
    const wasWritten = made.some(
      ({ memory: { ts }, lines: other }) => ts < memory.ts && same.some((line) => other.added.includes(line)),
    );
    if (same.length / wanted.length >= shareMin && wasWritten) {
      const text = `#${memory.id} took these lines out on ${memory.ts.slice(0, 10)}: ${plainLine(memory.text, recallLineCharsMax * 2)}`;
      return [{ id: memory.id, why: 'took these lines out', text }];
    }
    for (const line of lines.added) back.add(line);
  }
  return [];
}

interface Edit {
  readonly memory: RecalledCall;
  readonly lines: Lines;
}

/** The edits among calls, down to one that retention has shrunk: which lines that one left or took out nobody knows any more. */
function wholeEdits(newestFirst: readonly RecalledCall[]): readonly Edit[] {
  const edits: Edit[] = [];
  for (const memory of newestFirst) {
    const payload = payloadIn(memory.payloadJson);
    if (payload === null) continue;
    const call = readCall(payload);
    if (familyOf(call) !== 'edit' || call.result.failed) continue;
    if (isShrunkPayload(memory.payloadJson)) break;
    edits.push({ memory, lines: linesOf(payload) });
  }
  return edits;
}

interface Lines {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly around: readonly string[];
}

function linesOf(payload: RecallRequest['call']): Lines {
  const hunks = changesIn(readCall(payload)).flatMap((change) => change.hunks);
  const telling = (lines: readonly string[]): string[] =>
    lines
      .map((line) => line.trim())
      .filter(
        (line) => line.length >= tellingCharsMin && !/^(?:import|from|use|package|\/\/|#|\*)\b/.test(line),
      );
  return {
    added: telling(hunks.flatMap(({ added }) => added)),
    removed: telling(hunks.flatMap(({ removed }) => removed)),
    around: telling(hunks.flatMap(({ context }) => context)),
  };
}

const tellingCharsMin = 24;

/** The user refused an edit in another session that would have written these very lines, and said why. */
function refused(
  reads: RecallReads,
  call: RecallRequest['call'],
  file: Subject,
  before: string,
): readonly Memory[] {
  const { added: wanted } = linesOf(call);
  if (wanted.length === 0) return [];
  const base = file.name.replace(/^.*[/\\]/, '');
  const ids = reads.failedWith(`refused ${base}`, recallWordsMax, before, recallCandidatesMax);
  for (const memory of reads.calls(ids)) {
    const payload = memory.sessionId === call.sessionId ? null : payloadIn(memory.payloadJson);
    if (payload === null) continue;
    const { result } = readCall(payload);
    const { added } = linesOf(payload);
    const reason = result.refused ? refusalReason(result) : '';
    if (reason === '' || partOf(wanted, added) < shareMin) continue;
    const said = plainLine(reason, recallLineCharsMax * 2);
    const day = memory.ts.slice(0, 10);
    return [
      {
        id: memory.id,
        why: 'the user refused this',
        text: `#${memory.id} the user refused these lines on ${day}: ${said}`,
      },
    ];
  }
  return [];
}

function partOf(lines: readonly string[], others: readonly string[]): number {
  return lines.filter((line) => others.includes(line)).length / lines.length;
}

const shareMin = 0.6;
