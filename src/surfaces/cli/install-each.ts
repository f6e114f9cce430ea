import type { JsonObject } from '#core/event';
import {
  additionWords,
  attempt,
  type Candidate,
  carryOut,
  diffOf,
  type FileReport,
  isEmpty,
  notesFor,
  ownPrograms,
  preview,
} from '#surfaces/install';
import type { Io } from './io.ts';
import { changeLines } from './show.ts';
import { inHome, printable } from './words.ts';

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
  const clients = candidates.map((candidate) => {
    const { assistant, plan, problem } = candidate;
    const failed = problem === null ? [] : [problem];
    const files =
      plan === null ? null : attempt(() => (dryRun ? preview(plan) : carryOut(plan, io.env)), failed);
    problems.push(...failed.map((text) => `${assistant.title}: ${text}`));
    if (files !== null && plan !== null && !isEmpty(plan))
      for (const note of notesFor(assistant, io.env, ownPrograms(io.env))) notes.add(note);
    const diff = dryRun && plan !== null ? diffOf(plan) : null;
    const done = { files: files ?? [], problem: failed[0], diff };
    if (json) return resultOf(candidate, done);
    printOne(candidate, done, io);
    return {};
  });
  return { clients, notes: [...notes], problems };
}

interface Done {
  readonly files: readonly FileReport[];
  readonly problem: string | undefined;
  /** Of a dry run. */
  readonly diff: string | null;
}

/** Only what is known of it. */
function resultOf({ assistant, hasPlugin }: Candidate, { files, problem, diff }: Done): JsonObject {
  return {
    ...{ client: assistant.name, title: assistant.title, plugin: hasPlugin },
    files: files.map((file) => ({ ...file })),
    ...(diff !== null && { diff }),
    ...(problem !== undefined && { problem }),
  };
}

function printOne({ assistant: { title }, plan, hasPlugin }: Candidate, done: Done, io: Io): void {
  const { files, problem, diff } = done;
  if (hasPlugin) io.out(`${title}: memd's plugin does it already`);
  else if (problem !== undefined) io.note(`memd: ${title}: ${inHome(problem, io)}`);
  else if (plan === null || isEmpty(plan)) io.out(`${title}: nothing to change`);
  else if (diff !== null) {
    io.out(`${title}: ${additionWords(plan)}`);
    io.raw(printable(diff));
  } else io.out(`${title}:\n${changeLines(files, io)}`);
}
