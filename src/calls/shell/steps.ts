import type { ShellCommand } from './command.ts';

/** One command of a script, told so that the same work has the same words however it was typed. */
export interface Step {
  /** Without folder changes, settings of the environment, redirections and what only changes how output looks. */
  readonly name: string;
  /** Its words, the program first. */
  readonly words: readonly string[];
  /** It verifies: tests, types, lint, a build. */
  readonly isCheck: boolean;
  /** How the exit status and the output of it came through: whole, cut short, or only the lines that were asked for. */
  readonly seen: 'whole' | 'cut' | 'filtered';
  /** At most so many lines came through, the first ones; null: also the last one did. */
  readonly head: number | null;
  /** What it checks is by running it, so that anything may be printed that its code prints. */
  readonly isTest: boolean;
}

export interface Steps {
  readonly steps: readonly Step[];
  /** The script succeeds only if each of its commands does. */
  readonly allMustPass: boolean;
}

/** The commands of a script that do something, in their order; looks and talk (`echo`, `sleep`, `ls`) are none. */
export function stepsOf(shell: ShellCommand): Steps {
  const parts = separated(shell.script).flatMap(({ text, joint }) => {
    // Brackets only keep a change of folder to themselves.
    const group = /^\((.*)\)$/s.exec(text)?.[1];
    if (group === undefined) return [{ text, joint }];
    const inner = separated(group);
    return inner.map((part, at) => (at === inner.length - 1 ? { ...part, joint } : part));
  });
  const steps: Step[] = [];
  let allMustPass = true;
  for (const [at, { text, joint }] of parts.entries()) {
    const step = stepOf(text);
    if (step !== null) steps.push(step);
    if (joint !== '&&' && joint !== '|' && at < parts.length - 1) allMustPass = false;
    if (step !== null && step.seen !== 'whole') allMustPass = false;
  }
  return { steps, allMustPass };
}

function stepOf(pipeline: string): Step | null {
  const [first = '', ...filters] = separated(pipeline, '|').map(({ text }) => text);
  const words = plainWords(first);
  const [program] = words;
  if (program === undefined || idle.has(program)) return null;
  const isCheck = verifies(words);
  // What a check prints may be filtered at will: it stays the same check.
  const kept = isCheck
    ? []
    : filters.map((part) => plainWords(part).join(' ')).filter((part) => !looks(part));
  const seen = filters.some((part) => !looks(part)) ? 'filtered' : filters.length > 0 ? 'cut' : 'whole';
  const name = [words.join(' '), ...kept].join(' | ');
  return {
    name,
    words,
    isCheck,
    seen,
    head: headOf(filters),
    isTest: isCheck && tests.test(words.join(' ')),
  };
}

const tests =
  /(?:^|[\s:._/-])(?:tests?|e2e|spec|vitest|jest|mocha|ava|pytest|unittest|tox|nox|nextest|rspec|phpunit|ctest|bats|gotestsum|playwright|cypress)(?:$|[\s:._/-])/;

/** Of several `head`s the shortest. */
function headOf(filters: readonly string[]): number | null {
  const heads = filters.flatMap((part) => {
    const [found, lines = '10'] = /^head(?:\s+(?:-n\s*|--lines[= ]|-)(\d{1,6}))?\s*$/.exec(part.trim()) ?? [];
    return found === undefined ? [] : [Number(lines)];
  });
  return heads.length === 0 ? null : Math.min(...heads);
}

const idle = new Set(
  'cd echo printf sleep true false : pwd ls export set source . for do done if then else fi while wait clear which tree wc date kill'.split(
    ' ',
  ),
);

function looks(part: string): boolean {
  return /^(?:tail|head|tee|cat|less|sort|uniq|wc)\b/.test(part.trim());
}

/** The words that say what is run; quotes stay around what needs them. */
function plainWords(command: string): string[] {
  const words = command
    .replace(/(?:\s|^)(?:\d|&)?>>?\s*(?:&\d|\/dev\/null|[^\s;&|<>]+)/g, ' ')
    .replace(/(?:\s|^)<\s*\/dev\/null/g, ' ')
    .trim()
    .match(/(?:[^\s"']|"(?:[^"\\]|\\.)*"|'[^']*')+/g);
  const plain = asWritten(withoutLead(words ?? []));
  return verifies(plain) ? withoutLook(plain) : plain;
}

/** Drops settings of the environment, and the runners that only find or time the program. */
function withoutLead(all: readonly string[]): readonly string[] {
  let at = 0;
  for (; at < all.length; at += 1) {
    const word = all[at] ?? '';
    const next = all[at + 1] ?? '';
    if (
      /^(?:[A-Za-z_]\w*=.*|sudo|time|env|rtk|command|exec|nohup|do|then|else|!|[({]|npx|bunx|-y|--yes)$/s.test(
        word,
      )
    )
      continue;
    if (/^(?:pnpm|yarn|npm|bun|mise)$/.test(word) && /^(?:exec|dlx|x)$/.test(next))
      at += all[at + 2] === '--' ? 2 : 1;
    else if (word === 'timeout' && /^[\d.]+[smh]?$/.test(next)) at += 1;
    else if (/^(?:uv|poetry|pipenv|bundle)$/.test(word) && /^(?:run|exec)$/.test(next)) at += 1;
    else break;
  }
  return all.slice(at);
}

/** `npm run test` is `npm test`; brackets around a command that stands alone in them are none of its words. */
function asWritten(all: readonly string[]): string[] {
  const words = [...all];
  while (words.at(-1) === ')' || words.at(-1) === '}') words.pop();
  const [program = '', verb, target = ''] = words;
  if (verb === 'run' && /^(?:npm|pnpm|yarn)$/.test(program) && /^(?:test|start)$/.test(target)) {
    words.splice(1, 1);
  }
  return words;
}

/** Drops options of a check that change what is printed and not what is done. */
function withoutLook(words: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (at === 0 || !lookOption.test(word)) kept.push(word);
    else if (lookValue.test(`${word} ${words[at + 1] ?? ''}`)) at += 1;
  }
  while (kept.at(-1) === '--') kept.pop();
  return kept;
}

const lookOption =
  /^(?:-v{1,3}|-q{1,2}|-s|--verbose|--quiet|--silent|--colou?rs?(?:=.*)?|--no-colou?rs?|--reporter(?:=.*)?|--reporters(?:=.*)?|--tb(?:=.*)?|--nocapture|--pretty(?:=.*)?|--no-progress|--loglevel(?:=.*)?|--format=\w+|--hide-skipped-tests|--no-header|--durations(?:=.*)?|-count=\d+)$/;
const lookValue = /^--(?:(?:reporters?|loglevel) [^-]|pretty (?:true|false)$)/;

/** Whether a command verifies what is there. */
function verifies(words: readonly string[]): boolean {
  const [program = '', ...rest] = words;
  const name = program.replace(/^.*\//, '');
  if (checkers.has(name))
    return !rest.some((word) => /^(?:--version|-V|--help|--init|--fix-dry-run)$/.test(word));
  const verb = rest.find((word) => !word.startsWith('-')) ?? '';
  if (/^(?:npm|pnpm|yarn|bun|deno|make|just|task|mise|nx|turbo|rake|composer|lerna|poe|hatch)$/.test(name)) {
    const target = /^(?:run|run-script|run-many)$/.test(verb) ? (rest[rest.indexOf(verb) + 1] ?? '') : verb;
    return (
      checkTarget.test(target) || (name === 'make' && target === '') || (name === 'npm' && target === 't')
    );
  }
  const verbs = verifying[name];
  if (verbs !== undefined) return rest.some((word) => verbs.test(word));
  if (/^(?:python3?|node|bash|sh|tsx|ruby|php)$/.test(name)) {
    return (
      /(?:^|\s)(?:-m (?:pytest|unittest|mypy|flake8|py_compile|tox|ruff)|--test|--check)(?:\s|$)/.test(
        rest.join(' '),
      ) || checkScript.test(verb)
    );
  }
  return checkScript.test(program);
}

const checkers = new Set(
  (
    'vitest jest mocha ava pytest tox nox tsc vue-tsc svelte-check eslint oxlint mypy pyright flake8 pylint rspec rubocop ' +
    'phpunit ctest golangci-lint shellcheck staticcheck actionlint stylelint knip xcodebuild gotestsum markdownlint ' +
    'markdownlint-cli2 yamllint hadolint bats'
  ).split(' '),
);

/** Programs that verify only with one of these words. */
const verifying: Readonly<Record<string, RegExp>> = {
  go: /^(?:test|vet|build)$/,
  cargo: /^(?:test|check|clippy|build|nextest)$|^--check$/,
  biome: /^(?:check|lint|ci)$/,
  prettier: /^(?:--check|-c)$/,
  black: /^--check$/,
  ruff: /^check$/,
  gofmt: /^-[ld]$/,
  gradle: /test|check|build/i,
  gradlew: /test|check|build/i,
  mvn: /^(?:test|verify|package|compile|install)$/,
  mvnw: /^(?:test|verify|package|compile|install)$/,
  dotnet: /^(?:test|build)$/,
  swift: /^(?:test|build)$/,
  playwright: /^test$/,
  cypress: /^run$/,
  next: /^(?:build|lint)$/,
  vite: /^build$/,
  docker: /^build$/,
  terraform: /^(?:validate|plan)$/,
  helm: /^lint$/,
  mix: /^(?:test|credo|compile)$/,
  zig: /^(?:test|build)$/,
};

const checkTarget =
  /^(?:.*[:._-])?(?:tests?|check|lint|build|typecheck|type-check|types|tsc|e2e|ci|verify|validate|clippy|vet|spec|compile)(?:[:._-].*)?$/;
const checkScript =
  /(?:^|[/_-])(?:tests?|check|lint|verify|typecheck)\.(?:sh|mjs|cjs|js|ts|py|rb)$|\.(?:test|spec)\.\w+$/;

/** `script` at its `;`, `&&`, `||`, `&` (or at its single bars), outside quotes and brackets, with what followed each. */
function separated(script: string, at: '|' | 'commands' = 'commands'): { text: string; joint: string }[] {
  const parts: { text: string; joint: string }[] = [];
  let start = 0;
  let depth = 0;
  let quote = '';
  const end = (to: number, joint: string): void => {
    const text = script.slice(start, to).trim();
    if (text !== '') parts.push({ text, joint });
    start = to + joint.length;
  };
  for (let index = 0; index < script.length; index += 1) {
    const char = script.charAt(index);
    if (char === '\\' && quote !== "'") index += 1;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'" || char === '`') quote = char;
    else if (char === '(') depth += 1;
    else if (char === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0) {
      const joint = jointAt(script, index, at);
      if (joint === '') continue;
      end(index, joint);
      index += joint.length - 1;
    }
  }
  end(script.length, '');
  return parts;
}

function jointAt(script: string, index: number, at: '|' | 'commands'): string {
  const char = script.charAt(index);
  const two = script.slice(index, index + 2);
  if (at === '|') return char === '|' && two !== '||' && script.charAt(index - 1) !== '|' ? '|' : '';
  if (two === '&&' || two === '||') return two;
  if (char === ';') return ';';
  const isBackground =
    char === '&' && !/[>&<]/.test(script.charAt(index - 1)) && script.charAt(index + 1) !== '>';
  return isBackground ? '&' : '';
}
