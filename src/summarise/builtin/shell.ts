import { oneLine } from './lines.ts';

/** A shell command taken apart as far as a reader cares. */
export interface ShellCommand {
  /** What it does, on one line, without the changes of folder and the plumbing around it. */
  readonly essence: string;
  /** The first word of each command in it: `git commit`, `npm`, `cat`. */
  readonly programs: readonly string[];
  /** The subject of a commit message given on the command line, or null. */
  readonly subject: string | null;
  /** Texts fed to it by here-documents. */
  readonly documents: readonly string[];
}

const scanCharsMax = 8_000;

export function readCommand(command: string): ShellCommand {
  const { lines, documents } = splitDocuments(command.slice(0, scanCharsMax).replace(/\\\r?\n\s*/g, ' '));
  const script = lines
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .join('; ');
  const essence = oneLine(withoutPlumbing(script), 2_000);
  const programs = programsOf(essence);
  return {
    essence,
    programs,
    subject: programs.includes('git commit') ? subjectOf(script, documents) : null,
    documents,
  };
}

function splitDocuments(command: string): { lines: string[]; documents: string[] } {
  const lines: string[] = [];
  const documents: string[] = [];
  let until: string | null = null;
  let body: string[] = [];
  for (const line of command.split('\n')) {
    if (until !== null) {
      if (line.trim() !== until) {
        body.push(line);
        continue;
      }
      documents.push(body.join('\n'));
      until = null;
      body = [];
      continue;
    }
    lines.push(line);
    until = /<<-?\s{0,4}['"\\]?([A-Za-z_]\w{0,40})/.exec(line)?.[1] ?? null;
  }
  if (body.length > 0) documents.push(body.join('\n'));
  return { lines, documents };
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

function subjectOf(script: string, documents: readonly string[]): string | null {
  const given =
    /\s(?:-[a-z]*m|--message)[\s=]+"((?:[^"\\]|\\.)*)"/.exec(script)?.[1] ??
    /\s(?:-[a-z]*m|--message)[\s=]+'([^']*)'/.exec(script)?.[1];
  if (given !== undefined && !given.startsWith('$(')) return firstLine(given);
  const [document] = documents;
  return document === undefined ? null : firstLine(document);
}

function firstLine(text: string): string | null {
  return (
    text
      .split(/\n|; /)
      .map((line) => line.trim())
      .find((line) => line !== '') ?? null
  );
}
