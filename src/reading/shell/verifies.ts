/** Whether a command only lists the files that a tool would change or run: what it finds is no failure. */
export function lists([program = '', ...rest]: readonly string[]): boolean {
  const [, options] = listing.find(([name]) => name.test(program.replace(/^.*\//, ''))) ?? [];
  return options !== undefined && rest.some((word) => options.test(word));
}

/** Formatters that end well whatever they find. */
export const formatters = /^(?:gofmt|goimports|gofumpt)$/;
const listing: readonly (readonly [program: RegExp, options: RegExp])[] = [
  [formatters, /^-[ld]+$/],
  [/^prettier$/, /^(?:-l|--list-different)$/],
  [/^eslint$/, /^--print-config$/],
  [/^tsc$/, /^--(?:listFilesOnly|showConfig)$/],
  [/^jest$/, /^--(?:listTests|showConfig)$/],
  [/^vitest$/, /^list$/],
  [/^playwright$/, /^--list$/],
  [/^pytest$/, /^(?:--collect-only|--co|--fixtures)$/],
  [/^ctest$/, /^(?:-N|--show-only)$/],
];

/** Programs that run a named script of the project, which may call any tool. */
export const scriptRunners =
  /^(?:npm|pnpm|yarn|bun|deno|make|just|task|mise|nx|turbo|rake|composer|lerna|poe|hatch)$/;

/** The words of a program without those that name the folder or the package in which it works: `npm --prefix web test`. */
export function placeIn(words: readonly string[]): {
  readonly rest: readonly string[];
  readonly folder: string;
  readonly workspaces: readonly string[];
} {
  const [program = '', ...given] = words;
  // What stands behind it is for the script.
  const end = [...given, '--'].indexOf('--');
  const rest = [program];
  let folder = '';
  const workspaces: string[] = [];
  for (let at = 0; at < given.length; at += 1) {
    const word = given[at] ?? '';
    const [, option = word, own] = /^(--?[\w-]+)=(.+)$/.exec(word) ?? [];
    const name = at < end ? `${program} ${option}` : '';
    const value = own ?? given[at + 1] ?? '';
    if (folders.test(name)) folder = value;
    else if (packages.test(name)) workspaces.push(value);
    else {
      // It names the root of the workspace.
      if (name !== 'pnpm -w') rest.push(word);
      continue;
    }
    if (own === undefined) at += 1;
  }
  return { rest, folder, workspaces };
}

/** Whether a command is a check: tests, types, lint or a build. */
export function verifies(words: readonly string[]): boolean {
  const [program = '', ...rest] = words;
  const name = program.replace(/^.*\//, '');
  if (lists(words)) return false;
  if (checkers.has(name))
    return !rest.some((word) => /^(?:--version|-V|--help|--init|--fix-dry-run)$/.test(word));
  const plain = placeIn(words).rest.slice(1);
  const verb = plain.find((word) => !word.startsWith('-')) ?? '';
  // It installs.
  if (name === 'npm' && verb === 'ci') return false;
  if (scriptRunners.test(name)) {
    const target = /^(?:run|run-script|run-many)$/.test(verb) ? (plain[plain.indexOf(verb) + 1] ?? '') : verb;
    return (
      checkTarget.test(target) || (name === 'make' && target === '') || (name === 'npm' && target === 't')
    );
  }
  const own = verifying.find(([programs]) => programs.test(name));
  if (own !== undefined) return rest.some((word) => own[1].test(word));
  if (/^(?:python3?|node|bash|sh|tsx|ruby|php)$/.test(name)) {
    return (
      /(?:^|\s)(?:-m (?:pytest|unittest|mypy|flake8|py_compile|tox|ruff)|--test|--check|\S*manage\.py test|artisan test)(?:\s|$)/.test(
        rest.join(' '),
      ) || isCheckScript(verb)
    );
  }
  return isCheckScript(program);
}

const checkers = new Set(
  (
    'vitest jest mocha ava pytest tox nox tsc vue-tsc svelte-check eslint oxlint mypy pyright flake8 pylint rspec rubocop ' +
    'phpunit ctest golangci-lint shellcheck staticcheck actionlint stylelint knip xcodebuild gotestsum markdownlint ' +
    'markdownlint-cli2 yamllint hadolint bats Invoke-Pester'
  ).split(' '),
);

/** Programs that are checks only with one of these words. */
const verifying: readonly (readonly [program: RegExp, words: RegExp])[] = [
  [/^go$/, /^(?:test|vet|build)$/],
  [/^cargo$/, /^(?:test|check|clippy|build|nextest)$|^--check$/],
  [/^biome$/, /^(?:check|lint|ci)$/],
  [/^(?:black|prettier)$/, /^(?:--check|-c)$/],
  [/^ruff$/, /^check$/],
  [/^gradlew?$/, /test|check|build/i],
  [/^mvnw?$/, /^(?:test|verify|package|compile|install)$/],
  [/^(?:bazel|dotnet|stack|swift|zig|sbt|lein|cabal|ng|rails)$/, /^(?:test|build)$/],
  [/^(?:dart|flutter)$/, /^(?:test|analyze)$/],
  [/^playwright$/, /^test$/],
  [/^cypress$/, /^run$/],
  [/^next$/, /^(?:build|lint)$/],
  [/^(?:docker|vite)$/, /^build$/],
  [/^terraform$/, /^(?:validate|plan)$/],
  [/^helm$/, /^lint$/],
  [/^mix$/, /^(?:test|credo|compile|dialyzer)$/],
];

/** The options of programs that name a folder, and those that name a package. */
const folders =
  /^(?:(?:npm|pnpm|yarn|bun) (?:--prefix|-C|--dir|--cwd)|(?:make|go|ninja|mise) (?:-C|--directory|--cd)|(?:just|task|composer) (?:-d|--working-dir(?:ectory)?|--dir))$/;
const packages = /^(?:npm (?:-w|--workspace)|(?:pnpm|bun) (?:--filter|-F)|yarn workspace)$/;

/** A script that a hook of the assistant or of git runs is no check of the work. */
function isCheckScript(path: string): boolean {
  return checkScript.test(path) && !/(?:^|\/)\.?(?:git|claude|cursor)?\/?hooks\//.test(path);
}

const checkTarget =
  /^(?:.*[:._-])?(?:tests?|check|lint|build|typecheck|type-check|types|tsc|e2e|ci|verify|validate|clippy|vet|spec|compile)(?:[:._-].*)?$/;
const checkScript =
  /(?:^|[/_-])(?:tests?|check|lint|verify|typecheck)\.(?:sh|mjs|cjs|js|ts|py|rb)$|\.(?:test|spec)\.\w+$/;
