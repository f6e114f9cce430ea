import path from 'node:path';
import { type Call, commandText, once } from '#reading/call';
import { commandRun, committed, type StepRun, testsNamed, type Verdict } from '#reading/checks';
import { folderOf, type Step } from '#reading/shell';
import { plainPath } from '#reading/text';
import type { Subject } from './subject.ts';

/** The checks of a command, the tests that its output names, commits, files, and other commands. */
export const commandSubjects = once((call: Call): readonly Subject[] => {
  const { command, shell, checks, others, lines } = commandRun(call);
  const made = committed(command, call.result) ? shell.commits : [];
  const tests = checks.length === 0 ? [] : testsNamed(lines);
  return [
    ...checks.map(({ name, verdict }): Subject => ({ kind: 'check', name, outcome: outcomeOf(verdict) })),
    ...made.map(({ subject }): Subject => ({ kind: 'decision', name: subject, outcome: 'none' })),
    ...tests.filter(({ passed }) => !passed).map(testSubject),
    ...fileSubjects(others, shell.essence, call),
    ...others.filter(({ step }) => !isLook(step)).map(commandSubject),
    ...tests.filter(({ passed }) => passed).map(testSubject),
  ];
});

function outcomeOf(verdict: Verdict): Subject['outcome'] {
  return verdict === 'passed' || verdict === 'failed' ? verdict : 'none';
}

function testSubject({ name, passed }: { name: string; passed: boolean }): Subject {
  return { kind: 'check', name: `test:${name}`, outcome: passed ? 'passed' : 'failed' };
}

function commandSubject({ name, verdict, step }: StepRun): Subject {
  const pattern = searched(step);
  return pattern === null
    ? { kind: 'command', name, outcome: outcomeOf(verdict) }
    : { kind: 'query', name: pattern, outcome: 'none' };
}

function isLook({ words }: Step): boolean {
  return /^(?:cat|head|tail|nl|bat|less)$/.test(words[0] ?? '') || (words[0] === 'sed' && !isInPlace(words));
}

function isInPlace(words: readonly string[]): boolean {
  return words.some((word) => /^-[a-zE]*i/.test(word) || word.startsWith('--in-place'));
}

/** The pattern of `grep` or `rg`, or null for another command. */
function searched({ words }: Step): string | null {
  const rest = words[0] === 'git' && words[1] === 'grep' ? words.slice(2) : words.slice(1);
  if (!/^(?:e?grep|rg|ag|ack)$/.test(words[0] ?? '') && rest.length === words.length - 1) return null;
  return rest.find((word) => !word.startsWith('-'))?.replace(/^(["'])(.*)\1$/s, '$2') ?? null;
}

/** Files that a command shows, removes, moves or writes. */
function fileSubjects(runs: readonly StepRun[], essence: string, call: Call): readonly Subject[] {
  const folder = folderOf(call);
  const isInside = folder !== null && folder !== call.cwd && folder.startsWith('/');
  const named = (file: string): string =>
    plainPath(isInside && !/^(?:[~$]|\w:)/.test(file) ? path.resolve(folder, file) : file, call.cwd);
  const of = (outcome: Subject['outcome'], ...paths: string[]): Subject[] =>
    paths.map((one) => ({ kind: 'file', name: named(unquoted(one)), outcome }));
  const found = runs.flatMap(({ step, verdict }): Subject[] => {
    const words = step.words[0] === 'git' ? step.words.slice(1) : step.words;
    const [program = ''] = words;
    // The first word of `sed` is its script.
    // BSD's `-i` takes a suffix, mostly an empty one.
    const given = words.slice(1).filter((word) => !word.startsWith('-') && unquoted(word) !== '');
    const paths = (program === 'sed' ? given.slice(1) : given).filter((word) => isPath(word));
    // `mv a b && rmdir c || true` does not show how its parts ended.
    const isDone =
      verdict === 'passed' ||
      (verdict === 'none' && !call.result.failed && !complains.test(call.result.text));
    const done = (outcome: Subject['outcome']): Subject['outcome'] => (isDone ? outcome : outcomeOf(verdict));
    // A mode turns a hook on or off; elsewhere it changes no content.
    if (program === 'chmod')
      return of(done('changed'), ...paths.filter((path) => path.includes('.git/hooks/')));
    // What a build made is no work of the session.
    if (/^(?:rm|unlink|Remove-Item)$/i.test(program)) {
      // The file stays.
      if (words.includes('--cached')) return [];
      const isFolder = (word: string): boolean =>
        program === 'rm' && words.some((one) => /^-\w*[rR]/.test(one)) && /^[\w-]+$/.test(word);
      const gone = given.filter((word) => isPath(word) || isFolder(word));
      return of(done('removed'), ...gone.filter((path) => !built.test(unquoted(path))));
    }
    const [from = '', to = ''] = paths;
    const target = /\/["']?$/.test(to) ? `${unquoted(to)}${from.replace(/^.*\/|["']$/g, '')}` : to;
    if (program === 'mv' && paths.length === 2)
      return [...of(done('removed'), from), ...of(done('created'), target)];
    if (program === 'cp' && paths.length === 2) return of(done('created'), target);
    const lock = words.flatMap((word) => lockFiles.get(word) ?? [])[0];
    if (lock !== undefined) return of(done('changed'), lock);
    const out = words.findIndex((word) => /^(?:--out(?:put)?|-o)$/.test(word));
    if (converters.test(program) && out > 0) return of(done('created'), words[out + 1] ?? '');
    if (program === 'sed' && isInPlace(words)) return of(done('changed'), ...paths);
    return isLook(step) ? of(call.result.failed ? outcomeOf(verdict) : 'read', ...paths) : [];
  });
  if (call.result.failed) return found;
  const written = essence.matchAll(
    /\b(?:cat|tee)\s*(?:-a\s*)?(>{0,2})\s*([\w./@-]+)\s*<<-?\s{0,4}['"\\]?\w/g,
  );
  const code = codeIn(call);
  return [
    ...found,
    ...of('changed', ...namedBy(code, writes)),
    ...of('removed', ...namedBy(code, removes)),
    ...[...written, ...essence.matchAll(redirected)].flatMap(([, how, path]) =>
      of(how === '>>' ? 'changed' : 'created', path ?? ''),
    ),
  ];
}

/** The code that a command runs, without comments; none where it says that it found no place to write. */
function codeIn(call: Call): string {
  if (/\bnot found\b|\bno match/i.test(call.result.text)) return '';
  return [...commandText(call).slice(0, codeCharsMax).matchAll(inlineCode)]
    .map((found) => found.at(2) ?? found.at(4) ?? '')
    .join('\n')
    .replace(/^[ \t]*(?:#|\/\/).*$/gm, '');
}

/** The files that code writes or removes, from the folder in which it runs. */
function namedBy(code: string, how: RegExp): string[] {
  return [...code.matchAll(how)].flatMap(([, literal, variable = '', other, last]) => {
    const set =
      variable === '' ? null : new RegExp(`\\b${variable}\\s*=\\s*\\\\?["']([^"'\\\\\\n]{1,300})`).exec(code);
    return literal ?? other ?? last ?? set?.[1] ?? [];
  });
}

const codeCharsMax = 20_000;
/** What follows `-c` or `-e`, and a here-document. */
const inlineCode =
  /\b(?:python[\d.]*|node|bun|deno|ruby)[ \t](?:-\w+[ \t]+){0,3}?(?:(?:-[ce]|--eval|eval)[ \t]+(["'])((?:\\.|(?!\1)[^\\]){1,10000})\1|[^\n|;&<]{0,80}<<-?[ \t]*["']?(\w+)["']?[^\n]*\n([\s\S]{1,16000}?)\n[ \t]*\3\b)/g;
/** `open(path, "w")`, `Path(path).write_text`, `writeFileSync(path`. */
const writes =
  /\bopen\(\s*(?:\\?["']([^"'\\\n]{1,300})\\?["']|(\w{1,40}))\s*,\s*\\?["'][wa]b?\+?\\?["']|\bwriteFile(?:Sync)?\(\s*\\?["'`]([^"'`\\$\n]{1,300})\\?["'`]\s*,|\bPath\(\s*\\?["']([^"'\\\n]{1,300})\\?["']\s*\)\.write_/g;
/** `os.remove(path)`, `unlinkSync(path`. */
const removes =
  /\b(?:os\.(?:remove|unlink)|unlink(?:Sync)?|(?:\bfs\.|promises\.)rm|rmSync|File\.delete)\(\s*(?:\\?["'`]([^"'`\\$\n]{1,300})\\?["'`]|(\w{1,40}))\s*[,)]/g;

/** `printf ... > file`, without the quoted text before. */
const redirected =
  /(?:^|[;&|(]\s{0,4})(?:printf|echo|jq|curl|sort|envsubst)\s(?:"[^"]{0,2000}"|'[^']{0,2000}'|[^"'<>;&|]){1,60}[^\d&>](>{1,2})\s{0,4}([\w./@-]+\.\w{1,12})\b/g;
/** Options with which a package manager writes only this file. */
const lockFiles: ReadonlyMap<string, string> = new Map([
  ['--lockfile-only', 'pnpm-lock.yaml'],
  ['--package-lock-only', 'package-lock.json'],
]);
/** Programs that write the file of their output option, and no log. */
const converters =
  /^(?:sips|pandoc|rsvg-convert|inkscape|cwebp|svgo|curl|wget|magick|convert|ffmpeg|openssl|protoc|sass|esbuild)$/;
const complains = /No such file|cannot |Permission denied|Operation not permitted/;
/** Folders that a build or a package manager makes. */
const built =
  /(?:^|\/)(?:obj|bin|out|dist|build|target|artifacts|node_modules|coverage|\.next|__pycache__|\.cache|_build|deps|tmp|te?mp)\/?$/;

function isPath(word: string): boolean {
  const plain = unquoted(word);
  return (
    !plain.startsWith('-') &&
    !/[*?${}()|;<>=]/.test(plain) &&
    /^\.[a-z][\w-]*$|\.\w{1,12}$|\//i.test(plain) &&
    !/^\d+,\d+/.test(plain)
  );
}

function unquoted(word: string): string {
  return word.replace(/^(["'])(.*)\1$/s, '$2');
}
