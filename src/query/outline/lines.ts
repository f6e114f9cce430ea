import type { CheckHistory, CheckRecord } from '../../calls/checks/index.ts';
import type { Said } from '../../memory/account/index.ts';
import { readCommandLine } from './command-line.ts';
import type { Line } from './line.ts';
import { filesOfCheck, type ProjectRun } from './project.ts';

/** The numbers of the memories of events, by `seq`. */
export type Ids = ReadonlyMap<number, number>;

export function failureLine(
  ids: Ids,
  name: string,
  { seq, ts, command, said }: Pick<ProjectRun, 'seq' | 'ts' | 'command' | 'said'>,
): Line {
  const text = `\`${readCommandLine(command, name)}\`${said === '' ? '' : `: ${said}`}`;
  return { id: ids.get(seq) ?? null, ts, text };
}

/** A failed check is no failure any more when its tests are gone. */
export function openLine(ids: Ids, { name, place, failed }: CheckRecord<ProjectRun>): readonly Line[] {
  if (failed === null) return [];
  const needs = filesOfCheck({ name, place });
  return [{ ...failureLine(ids, name, failed), ...(needs.length > 0 && { needs }) }];
}

/** Those of which the last failed run is one of the wanted. */
export function openLines(
  ids: Ids,
  checks: CheckHistory<ProjectRun>,
  isWanted: (run: ProjectRun) => boolean,
): readonly Line[] {
  return checks
    .open()
    .filter(({ failed }) => failed !== null && isWanted(failed))
    .flatMap((record) => openLine(ids, record));
}

export function saidLine(ids: Ids, { seq, text }: Said, ts: string, lead = ''): Line {
  return { id: ids.get(seq) ?? null, ts, text: `${lead}${text}` };
}
