import type { JsonObject } from '../../core/event/index.ts';
import {
  additionWords,
  attempt,
  type Candidate,
  carryOut,
  diffOf,
  isEmpty,
  notesFor,
  ownPrograms,
  preview,
} from '../install/index.ts';
import type { Io } from './io.ts';
import { changeLines, inWidth } from './show.ts';
import { printable } from './words.ts';

export interface Installed {
  /** For `--json`. */
  readonly clients: readonly JsonObject[];
  /** What a user must know, each line once. */
  readonly notes: readonly string[];
  readonly problems: readonly string[];
}

interface Options {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Installs memd in each assistant, or shows the changes, and prints what was done. A failure of one does not stop the others. */
export function installEach(candidates: readonly Candidate[], options: Options, io: Io): Installed {
  const { dryRun = false, json = false } = options;
  const problems: string[] = [];
  const notes = new Set<string>();
  const clients = candidates.map(({ assistant, plan, hasPlugin, problem }) => {
    const { name, title } = assistant;
    const failed = problem === null ? [] : [problem];
    const files =
      plan === null ? null : attempt(() => (dryRun ? preview(plan) : carryOut(plan, io.env)), failed);
    problems.push(...failed.map((text) => `${title}: ${text}`));
    if (files !== null && plan !== null && !isEmpty(plan))
      for (const note of notesFor(assistant, io.env, ownPrograms(io.env))) notes.add(note);
    const diff = dryRun && plan !== null ? diffOf(plan) : null;
    if (json) {
      // Only what is known of it.
      const more = { ...(diff !== null && { diff }), ...(failed.length > 0 && { problem: failed[0] ?? '' }) };
      return {
        client: name,
        title,
        plugin: hasPlugin,
        files: (files ?? []).map((file) => ({ ...file })),
        ...more,
      };
    }
    if (hasPlugin) io.out(`${title}: memd's plugin does it already`);
    else if (failed.length > 0) io.note(`memd: ${title}: ${failed[0]}`);
    else if (plan === null || isEmpty(plan)) io.out(`${title}: nothing to change`);
    else if (dryRun) io.out(`${inWidth(`${title}: ${additionWords(plan)}`, io)}\n${printable(diff ?? '')}`);
    else io.out(`${title}:\n${changeLines(files ?? [], io)}`);
    return {};
  });
  return { clients, notes: [...notes], problems };
}
