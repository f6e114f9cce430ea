import { onceByText, oneLine } from '#reading/text';
import type { CommitMessage } from './commit-message.ts';
import { programsOf } from './programs.ts';
import { readScript } from './script.ts';
import { type Steps, stepsOf } from './steps.ts';

/** What a shell command does. */
export interface ShellCommand extends Steps {
  /** The command on one line without changes of folder and plumbing. */
  readonly essence: string;
  /** What it runs, by program and subcommand: `git commit`, `npm test`, `cat`. */
  readonly programs: readonly string[];
  /** The messages of the commits made by it. */
  readonly commits: readonly CommitMessage[];
  /** Texts of its here-documents. */
  readonly documents: readonly string[];
}

const commandsMax = 256;

/** A session runs the same commands again and again. */
export const readCommand = onceByText((command: string): ShellCommand => {
  const { text, pipelines, commits, documents } = readScript(command);
  return {
    ...stepsOf(pipelines),
    essence: oneLine(withoutPlumbing(text), 2_000),
    programs: programsOf(pipelines),
    commits,
    documents,
  };
}, commandsMax);

/** Drops what says nothing about the purpose: `cd X &&`, `2>&1`, a closing `| tail -20`. */
function withoutPlumbing(script: string): string {
  let rest = script;
  for (;;) {
    const led = /^cd\s+(?:"[^"]*"|'[^']*'|[^\s;&|"']+)\s*(?:&&|;)\s*/.exec(rest)?.[0];
    if (led === undefined || led.length === rest.length) break;
    rest = rest.slice(led.length);
  }
  return rest
    .replace(/\s*2>(?:&1|\/dev\/null)/g, '')
    .replace(/\s*(?:&&|;)\s*echo\s+(["'])[-=#*\s]{0,40}\1(?=\s*(?:&&|;|$))/g, '')
    .replace(/\s*\|\s*(?:tail|head)(?:\s+-n)?\s+-?\d{1,5}\s*$/, '')
    .replace(/\s*\|\|\s*true\s*$/, '');
}
