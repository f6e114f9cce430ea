import type { Said, SessionAccount } from '#memory/account';
import type { OutlineReads } from '#memory/store';
import { type CheckHistory, type CheckRecord, coversAll, fixes } from '#reading/checks';
import { readCommandLine } from './command-line.ts';
import type { Line, Section } from './line.ts';
import { filesOfCheck, type ProjectRun } from './project.ts';

/** A line about an event, before the number of its memory is known; `ts` for an event that is not stored. */
export interface Draft extends Omit<Line, 'id'> {
  readonly id?: number | null;
  readonly seq?: number;
}

export interface DraftSection extends Omit<Section, 'lines'> {
  readonly lines: readonly Draft[];
}

/** The sections with the numbers of the memories that their lines are about, and the time of each. */
export function withIds(reads: OutlineReads, sections: readonly DraftSection[]): Section[] {
  const events = reads.eventsOf(sections.flatMap(({ lines }) => lines.flatMap(({ seq }) => seq ?? [])));
  return sections.map(({ lines, ...section }) => ({
    ...section,
    lines: lines.map(({ seq = 0, id, ts, ...line }) => {
      const event = events.get(seq);
      return { ...line, id: id ?? event?.id ?? null, ts: event?.ts ?? ts };
    }),
  }));
}

export function failureLine(
  name: string,
  { seq, ts, command, said }: Pick<ProjectRun, 'seq' | 'ts' | 'command' | 'said'>,
): Draft {
  const bare = `\`${readCommandLine(command, name)}\``;
  return { seq, ts, ...(said === '' ? { text: bare } : { text: `${bare}: ${said}`, shorter: [bare] }) };
}

/** The checks of which the last failed run is one of the wanted. A failed check is no failure any more when its tests are gone. */
export function openLines(
  checks: CheckHistory<ProjectRun>,
  isWanted: (run: ProjectRun) => boolean,
): readonly Draft[] {
  const open = checks.open();
  // A wider run of the same kind that failed later shows a failure again, as a check does that of its fixer.
  const isAgain = ({ name, parts, failedAt }: CheckRecord<ProjectRun>): boolean =>
    open.some(
      (wide) =>
        (wide.failedAt > failedAt || fixes.test(name)) &&
        wide.name !== name &&
        !fixes.test(wide.name) &&
        coversAll(wide.parts, parts) &&
        wide.parts.every(({ kind }) => kind === parts[0]?.kind),
    );
  return open.flatMap((record) => {
    const { name, place, failed } = record;
    if (failed === null || !isWanted(failed) || isAgain(record)) return [];
    const needs = filesOfCheck({ name, place });
    return [{ ...failureLine(name, failed), ...(needs.length > 0 && { needs }) }];
  });
}

/** What was said, one line each. */
export function saidLines(said: Said | readonly Said[] | null, ts: string, lead = ''): readonly Draft[] {
  return [said ?? []].flat().map(({ seq, text }) => ({ seq, ts, text: `${lead}${text}` }));
}

/** In the middle of what it ended, and by which error. */
export function endLines(
  { ended: { during, error }, requests }: SessionAccount,
  ts: string,
): readonly Draft[] {
  const isBegun = requests.some(
    ({ seq, calls, says }) => seq === during[0]?.seq && (calls > 0 || says !== null),
  );
  return [
    ...saidLines(during.slice(0, 1), ts, isBegun ? 'ended in the middle of: ' : 'not begun: '),
    ...saidLines(error ?? null, ts, 'ended by an API error: '),
  ];
}
