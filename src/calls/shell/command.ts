import { oneLine } from '../text/index.ts';
import { type CommitMessage, commitMessage, type HereDocument, withoutMessage } from './commit-message.ts';

/** A shell command taken apart as far as a reader cares. */
export interface ShellCommand {
  /** What it does, on one line, without the changes of folder and the plumbing around it. */
  readonly essence: string;
  /** The same with the plumbing: how its commands are joined tells whose exit status came back. */
  readonly script: string;
  /** The first word of each command in it: `git commit`, `npm`, `cat`. */
  readonly programs: readonly string[];
  /** The message of a commit made by it, or null. */
  readonly commit: CommitMessage | null;
  /** Texts fed to it by here-documents. */
  readonly documents: readonly string[];
}

const scanCharsMax = 8_000;

export function readCommand(command: string): ShellCommand {
  const whole = command.slice(0, scanCharsMax).replace(/\\\r?\n\s*/g, ' ');
  const { lines, documents } = splitDocuments(whole);
  const script = joined(
    lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#')),
  );
  const work = withoutPlumbing(script);
  const programs = programsOf(work);
  const commit = programs.includes('git commit') ? commitMessage(whole, documents) : null;
  return {
    essence: oneLine(commit === null ? work : withoutMessage(work), 2_000),
    script: oneLine(commit === null ? script : withoutMessage(script), 4_000),
    programs,
    commit,
    documents: documents.map(({ text }) => text),
  };
}

function splitDocuments(command: string): { lines: string[]; documents: HereDocument[] } {
  const lines: string[] = [];
  const documents: HereDocument[] = [];
  let open: { readonly until: string; readonly opener: string } | null = null;
  let body: string[] = [];
  for (const line of command.split('\n')) {
    if (open !== null) {
      if (line.trim() !== open.until) {
        body.push(line);
        continue;
      }
      documents.push({ opener: open.opener, text: body.join('\n') });
      open = null;
      body = [];
      continue;
    }
    lines.push(line);
    const until = /<<-?\s{0,4}['"\\]?([A-Za-z_]\w{0,40})/.exec(line)?.[1];
    if (until !== undefined) open = { until, opener: line };
  }
  if (open !== null && body.length > 0) documents.push({ opener: open.opener, text: body.join('\n') });
  return { lines, documents };
}

/** Lines as one: each a command of its own, but for those that go on with a text in quotes. */
function joined(lines: readonly string[]): string {
  let script = '';
  let quote = '';
  for (const line of lines) {
    script += script === '' ? line : `${quote === '' ? '; ' : ' '}${line}`;
    for (let at = 0; at < line.length; at += 1) {
      const char = line.charAt(at);
      if (char === '\\' && quote !== "'") at += 1;
      else if (quote !== '') quote = char === quote ? '' : quote;
      else if (char === '"' || char === "'") quote = char;
    }
  }
  return script;
}

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

function programsOf(essence: string): string[] {
  const programs = new Set<string>();
  for (const part of essence.split(/&&|\|\||[;|]/)) {
    const words = part.trim().split(/\s+/);
    while (words[0] !== undefined && /^(?:\w+=\S*|sudo|time|env|rtk|command|exec)$/.test(words[0]))
      words.shift();
    const [program, ...rest] = words;
    if (program === undefined || program === '') continue;
    const verb = rest.find((found) => /^[a-z][\w:-]*$/.test(found));
    programs.add(
      /^(?:git|gh|docker|kubectl|cargo|go)$/.test(program) && verb ? `${program} ${verb}` : program,
    );
  }
  return [...programs];
}
