/** Whether a command only lists the files that a tool would change or run: what it finds is no failure. */
export function lists([program = '', ...rest]: readonly string[]): boolean {
  const options = listing[program.replace(/^.*\//, '')];
  return options !== undefined && rest.some((word) => options.test(word));
}

const listing: Readonly<Record<string, RegExp>> = {
  gofmt: /^-[ld]+$/,
  goimports: /^-[ld]+$/,
  gofumpt: /^-[ld]+$/,
  prettier: /^(?:-l|--list-different)$/,
  eslint: /^--print-config$/,
  tsc: /^--(?:listFilesOnly|showConfig)$/,
  jest: /^--(?:listTests|showConfig)$/,
  vitest: /^list$/,
  playwright: /^--list$/,
  pytest: /^(?:--collect-only|--co|--fixtures)$/,
  ctest: /^(?:-N|--show-only)$/,
};

/** Whether a command is a check: tests, types, lint or a build. */
export function verifies(words: readonly string[]): boolean {
  const [program = '', ...rest] = words;
  const name = program.replace(/^.*\//, '');
  if (lists(words)) return false;
  if (checkers.has(name))
    return !rest.some((word) => /^(?:--version|-V|--help|--init|--fix-dry-run)$/.test(word));
  const verb = rest.find((word) => !word.startsWith('-')) ?? '';
  // It installs.
  if (name === 'npm' && verb === 'ci') return false;
  if (/^(?:npm|pnpm|yarn|bun|deno|make|just|task|mise|nx|turbo|rake|composer|lerna|poe|hatch)$/.test(name)) {
    const target = /^(?:run|run-script|run-many)$/.test(verb) ? (rest[rest.indexOf(verb) + 1] ?? '') : verb;
    return (
      checkTarget.test(target) || (name === 'make' && target === '') || (name === 'npm' && target === 't')
    );
  }
  const own = verifying.find(([programs]) => programs.test(name));
  if (own !== undefined) return rest.some((word) => own[1].test(word));
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
  [/^(?:bazel|dotnet|stack|swift|zig)$/, /^(?:test|build)$/],
  [/^(?:dart|flutter)$/, /^(?:test|analyze)$/],
  [/^playwright$/, /^test$/],
  [/^cypress$/, /^run$/],
  [/^next$/, /^(?:build|lint)$/],
  [/^(?:docker|vite)$/, /^build$/],
  [/^terraform$/, /^(?:validate|plan)$/],
  [/^helm$/, /^lint$/],
  [/^mix$/, /^(?:test|credo|compile|dialyzer)$/],
];

const checkTarget =
  /^(?:.*[:._-])?(?:tests?|check|lint|build|typecheck|type-check|types|tsc|e2e|ci|verify|validate|clippy|vet|spec|compile)(?:[:._-].*)?$/;
const checkScript =
  /(?:^|[/_-])(?:tests?|check|lint|verify|typecheck)\.(?:sh|mjs|cjs|js|ts|py|rb)$|\.(?:test|spec)\.\w+$/;
