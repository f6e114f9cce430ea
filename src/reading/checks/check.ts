import path from 'node:path';
import { placeIn, scriptRunners } from '#reading/shell';

/** What a check runs over. `all`: a script named `check` or `ci`, which may do several of the others. */
export type CheckKind = 'test' | 'lint' | 'types' | 'build' | 'all';

/** A check as its work, however it was typed: two runners of one script are one check. */
export interface Check {
  readonly name: string;
  readonly kind: CheckKind;
  /** The language whose tool it is; null for a script of the project, which may call any tool. */
  readonly language: string | null;
  /** The program, or the name of a script. */
  readonly tool: string;
  /** What a script's name or its tags add: `unit` of `test:unit`. */
  readonly variant: string;
  /** Files, folders and packages; empty: the whole. */
  readonly targets: readonly string[];
  /** A pattern that selects single tests (`-run`, `-k`, `-t`), or null. */
  readonly only: string | null;
  /** The packages of the project in which it runs; empty: the whole. */
  readonly workspaces: readonly string[];
  /** With their values. */
  readonly options: readonly string[];
  /** The folder in which it ran, relative to that of the session. */
  readonly place: string;
}

/** The checks of a name: several of one command are one, `npm run lint && npm test`. */
export function partsOf(name: string, place = ''): readonly Check[] {
  return name.split(' && ').map((part) => checkOf(part, place));
}

/** The check of a step's name. */
export function checkOf(name: string, from = ''): Check {
  // A pattern in quotes is one word.
  const words = name.replace(/ --fix(?![\w-])|[:-]fix\b/, '').match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? [];
  const { rest: placed, folder, workspaces } = placeIn(words);
  // `python manage.py test`, `php artisan test`
  const isOfScript = /^(?:python3?|php) (?:\S*manage\.py|artisan)$/.test(placed.slice(0, 2).join(' '));
  const [program = '', ...rest] = isOfScript ? placed.slice(1) : placed;
  const base = program.replace(/^.*\//, '');
  const { plain, only: pattern, tags } = argumentsIn(rest);
  const options = rest.filter((word) => !plain.includes(word));
  const place = placeBelow(from, folder.replace(/["']/g, ''));
  const shared = { name: words.join(' '), only: pattern, workspaces, options, place };
  const isScript = scriptRunners.test(base) && !(base === 'bun' && plain[0] === 'test');
  if (isScript) return { ...shared, ...scriptCheck(base, plain) };
  return { ...shared, ...toolCheck(base, plain, options), variant: tags };
}

/** Below the root it is named from there. */
function placeBelow(from: string, into: string): string {
  const isRoot = /^(?:\/|[A-Za-z]:)/.test(into);
  return isRoot ? '' : path.posix.relative('/', path.posix.join('/', from, into));
}

type Work = Pick<Check, 'kind' | 'language' | 'tool' | 'targets'>;

/** `npm run test:unit src` */
function scriptCheck(runner: string, plain: readonly string[]): Work & Pick<Check, 'variant'> {
  const isRun = /^run/.test(plain[0] ?? '');
  const [script = runner === 'make' ? 'all' : '', ...targets] = isRun ? plain.slice(1) : plain;
  const [, tool = script, variant = ''] =
    /^((?:type-?)?(?:tests?|check|lint|build|types?|tsc|ci|e2e))[:._-](.+)$/.exec(script) ?? [];
  return { kind: kindOf(script), language: null, tool, variant, targets };
}

/** `go test ./...` */
function toolCheck(base: string, plain: readonly string[], options: readonly string[]): Work {
  const language = languages.find(([, tools]) => tools.test(base))?.[0] ?? null;
  const verb = withVerb.test(base) ? (plain[0] ?? '') : '';
  const targets = plain
    .slice(verb === '' ? 0 : 1)
    .flatMap((word) => (wholes.test(word) ? [] : [word.replace(/,$/, '')]));
  const tool = verb === '' ? base : `${base} ${verb}`;
  // `go test -c` only compiles.
  const byTool = tool === 'go test' && options.includes('-c') ? 'build' : kindOf(tool);
  // `python3 -m pytest`, `stack build --test`; `cargo check --tests` runs none.
  const isOpen = byTool === 'all' || tool === 'stack build';
  const own = isOpen ? kindOf(`${tool} ${options.join(' ')}`.replace(/ --tests\b/, '')) : byTool;
  // `mvn test`, `zig build test`
  const kind = own === 'all' || tool === 'zig build' ? kindOf(plain.join(' ')) : own;
  return { kind, language, tool, targets };
}

const withVerb =
  /^(?:go|cargo|biome|ruff|bun|dotnet|swift|playwright|cypress|next|vite|vitest|mix|zig|bazel|stack|sbt|lein|cabal|ng|rails|manage\.py|artisan|dart|flutter|docker|terraform|helm|golangci-lint|gotestsum)$/;
const wholes = /^(?:\.|\.\/|\.\/\.\.\.|\.\/\*\*|run|(?:\.\/)?src\/?|all|[\w./-]+\.slnx?)$/;
/** The tools of each language, and the files that they read. */
const languages: readonly (readonly [name: string, tools: RegExp, sources: RegExp])[] = [
  ['go', /^(?:go|gotestsum|golangci-lint|staticcheck)$/, /\.go$/],
  ['rust', /^cargo$/, /\.rs$/],
  ['elixir', /^mix$/, /\.(?:exs?|[hl]?eex)$/],
  ['dotnet', /^dotnet$/, /\.(?:cs|fs|vb|razor)$/],
  ['python', /^(?:python3?|manage\.py|pytest|mypy|pyright|ruff|flake8|pylint|black|tox|nox)$/, /\.pyi?$/],
  [
    'js',
    /^(?:vitest|jest|mocha|ava|tsc|vue-tsc|svelte-check|eslint|oxlint|biome|prettier|bun|node|tsx|playwright|cypress|next|vite|knip)$/,
    /\.(?:[cm]?[jt]sx?|vue|svelte)$/,
  ],
];

/** Whether the check may end otherwise by a change of the file: tools read their own language unless they try the whole, and these two build no tests. */
export function seesChange(check: Check, path: string): boolean {
  const { language, tool } = check;
  if (language === null || triesWhole(check)) return true;
  const [own] = languages.find(([, , sources]) => sources.test(path)) ?? [language];
  return own === language && (!/^(?:go build|mix compile)$/.test(tool) || !/_test\.(?:go|exs)$/.test(path));
}

/** The words without options and their values; `tags` are build tags. */
function argumentsIn(words: readonly string[]): { plain: string[]; only: string | null; tags: string } {
  const plain: string[] = [];
  let only: string | null = null;
  let tags = '';
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const [, option = '', given] = /^(--?[\w-]+)(?:=(.*))?$/.exec(word) ?? [];
    const value = given ?? words[at + 1] ?? '';
    const isTag = /^--?tags$/.test(option);
    if (option === '' && word !== '') plain.push(word);
    else if (selecting.test(option)) only = value;
    else if (isTag) tags = value;
    else if (option === '-race') tags = 'race';
    // Of `dotnet` a framework, of `jest` no value.
    const isFlag = option === '-f' && /\.[cm]?[jt]sx?$/.test(value);
    const isValued = !isFlag && (selecting.test(option) || isTag || valued.test(option));
    if (isValued && given === undefined) at += 1;
  }
  return { plain, only, tags };
}

const selecting =
  /^(?:-run|--run|-FullNameFilter|-TagFilter|-k|-t|--testNamePattern|--test-name-pattern|--grep|-g|--filter)$/;
const valued =
  /^(?:-timeout|--timeout|-count|-p|-parallel|--config|-c|--project|-f|--framework|-w|--workspace|--prefix|--cwd|-C|-m|-o|-ldflags|-coverprofile|--maxfail|-n|-j|--max-warnings|--pool|--testTimeout|--outDir)$/;

function kindOf(words: string): CheckKind {
  if (
    /\b(?:e2e|spec|tests?|vitest|jest|mocha|ava|pytest|nextest|gotestsum|playwright|cypress|pester)\b/i.test(
      words,
    )
  )
    return 'test';
  if (/\b(?:type-?check|types?|tsc|vue-tsc|svelte-check|mypy|pyright)\b/.test(words)) return 'types';
  if (
    /\b(?:lint|clippy|vet|fmt|format|eslint|oxlint|biome|prettier|ruff|flake8|pylint|staticcheck|golangci-lint|shellcheck|black|knip|rubocop|stylelint)\b/.test(
      words,
    )
  )
    return 'lint';
  return /\b(?:build|compile|package)\b/.test(words) ? 'build' : 'all';
}

/** Whether a pass of `wide` proves what `narrow` checks. */
export function covers(wide: Check, narrow: Check): boolean {
  if (!isWithin(narrow.place, wide.place)) return false;
  if (wide.name === narrow.name) return true;
  if (wide.language !== narrow.language && wide.language !== null && narrow.language !== null) return false;
  if (!coversKind(wide, narrow) || !coversTool(wide, narrow) || !coversVariant(wide, narrow)) return false;
  if (wide.only !== null && wide.only !== narrow.only) return false;
  const isInside =
    narrow.workspaces.length > 0 && narrow.workspaces.every((one) => wide.workspaces.includes(one));
  if (wide.workspaces.length > 0 && !isInside) return false;
  if (wide.targets.length === 0) return true;
  return (
    narrow.targets.length > 0 &&
    narrow.targets.every((target) => wide.targets.some((folder) => isWithin(plain(target), plain(folder))))
  );
}

/** Whether each of some parts is covered by one of `wide`. */
export function coversAll(wide: readonly Check[], parts: readonly Check[]): boolean {
  return parts.every((part) => wide.some((one) => covers(one, part)));
}

function coversKind(wide: Check, narrow: Check): boolean {
  if (wide.kind === narrow.kind) return true;
  if (wide.kind === 'all') return narrow.kind !== 'test' || /^(?:ci|verify|validate)/.test(wide.tool);
  // `go test` and `go vet` build what they check, and so does a script that tests it.
  const isTest =
    wide.kind === 'test' && wide.language === null && !/^(?:npm|pnpm|yarn|bun|deno)\b/.test(wide.name);
  return narrow.kind === 'build' && (isTest ? narrow.language === 'go' : /^go (?:test|vet)$/.test(wide.tool));
}

/** A script may call any tool. A tool covers a script only where a project has one: tests, types, a build. */
function coversTool(wide: Check, narrow: Check): boolean {
  if (wide.tool === narrow.tool || wide.language === null) return true;
  return narrow.kind !== 'lint' && narrow.kind !== 'all';
}

/** The suite does not have to run those that need a world of their own. */
function coversVariant(wide: Check, narrow: Check): boolean {
  if (wide.kind === 'all') return true;
  const isApart = needsWorld(narrow);
  if (wide.variant === narrow.variant && (wide.tool === narrow.tool || !isApart || needsWorld(wide)))
    return true;
  // A script for a browser runs the tool for one.
  if (isApart) return browsers.test(narrow.tool) && /e2e|browser/.test(wide.variant);
  if (wide.variant === '' || wide.variant === 'ci') return true;
  return narrow.language !== null && narrow.targets.length > 0 && !apart.test(wide.variant);
}

/** Whether its program, options or files say that it tries the whole. */
export function triesWhole({ kind, tool, variant, options, targets }: Check): boolean {
  const words = [tool, variant, ...options, ...targets];
  return (
    kind === 'test' && words.some((word) => /e2e|\bintegration(?!s)|^(?:playwright|cypress)\b/.test(word))
  );
}

function needsWorld({ tool, variant, options, only }: Check): boolean {
  const ofTests = (option: string): boolean => only !== null && option.endsWith(only);
  return (
    [tool, variant].some((word) => browsers.test(word) || apart.test(word)) ||
    options.some(
      (option) =>
        /(?<![a-z])(?:e2e|integration|browser|smoke|live)(?![a-z])/.test(option) && !ofTests(option),
    )
  );
}

const apart = /e2e|integ|browser|smoke|live|^(?:race|ci)$/;
const browsers = /^(?:playwright|cypress)\b/;

function plain(target: string): string {
  return target
    .replace(/^["']|["']$/g, '')
    .replace(/^\.\//, '')
    .replace(/(?:\/?\.\.\.|\/)$/, '')
    .replace(/::.*$/, '');
}

function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}
