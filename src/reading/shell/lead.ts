/** A program that runs another one: its own words come first. */
interface Runner {
  /** Matches its first words, joined by a blank. */
  readonly name: RegExp;
  /** Its options with a value of their own. */
  readonly valued?: RegExp;
  /** How many names follow the options, such as a container's. */
  readonly names?: number;
}

const runners: readonly Runner[] = [
  {
    name: /^(?:sudo|doas|builtin|busybox|time|env|rtk (?:proxy|test|err)|rtk|proxy|command|exec|nohup|setsid|unbuffer|caffeinate|cross-env|nice|ionice|chrt|stdbuf)$/,
    valued: /^-[ugcn]$/,
  },
  { name: /^(?:timeout|taskset)$/, valued: /^-[skc]$/, names: 1 },
  { name: /^(?:direnv exec|flock)$/, names: 1 },
  { name: /^[sl]trace$/, valued: /^-[aeoOpsSuX]$/ },
  { name: /^xvfb-run$/, valued: /^-[senfwp]$/ },
  { name: /^(?:npx|pnpx|bunx|uvx|pipx run)$/, valued: /^(?:-p|--package|--from|--with|--spec)$/ },
  { name: /^(?:pnpm|yarn|npm|bun|mise) (?:exec|dlx|x)$/, valued: /^(?:-p|--package)$/ },
  {
    name: /^(?:uv|poetry|pipenv|bundle|pdm|rye) (?:run|exec)$/,
    valued: /^(?:-p|--python|--with|--extra|--group|--project)$/,
  },
  { name: /^(?:doppler|op|dotenvx|infisical) run$|^dotenv$/, valued: /^-[efpc]$/ },
  {
    name: /^(?:docker|podman|nerdctl|kubectl) exec$|^(?:docker-compose|(?:docker|podman) compose) (?:exec|run)$/,
    valued: /^(?:-[ewucn]|--(?:env|workdir|user|container|namespace|entrypoint|volume))$/,
    names: 1,
  },
];
const anyRunner = new RegExp(runners.map(({ name }) => name.source).join('|'));
const wordsOfNameMax = 3;

/** Drops variables of the environment, and runners that only find, time or place the program. */
export function withoutLead(words: readonly string[]): readonly string[] {
  let rest = words;
  for (;;) {
    const count = /^[A-Za-z_]\w*=/.test(rest[0] ?? '') ? 1 : leadOf(rest);
    if (count === 0 || count >= rest.length) return count === 0 ? rest : [];
    rest = rest.slice(count);
  }
}

/** How many words at the start are those of a runner. */
function leadOf(words: readonly string[]): number {
  // `command -v` only looks.
  if (words[0] === 'command' && words[1]?.startsWith('-')) return 0;
  for (let count = wordsOfNameMax; count > 0; count -= 1) {
    const start = words.slice(0, count).join(' ');
    const runner = anyRunner.test(start) ? runners.find(({ name }) => name.test(start)) : undefined;
    if (runner === undefined || words.length < count) continue;
    let at = count;
    while (/^(?:-|[A-Za-z_]\w*=)/.test(words[at] ?? '')) at += runner.valued?.test(words[at] ?? '') ? 2 : 1;
    at += runner.names ?? 0;
    return words[at] === '--' ? at + 1 : at;
  }
  return 0;
}

/** Programs that change nothing and show nothing of the project. */
export function isIdle(program: string): boolean {
  return (
    printedIn([program]) !== null ||
    /^(?:cd|sleep|true|false|:|export|set|trap|source|\.|wait|clear|exit)$/.test(program)
  );
}

/** The words that a command only prints; null for another one. In PowerShell a text prints itself. */
export function printedIn([program = '', ...words]: readonly string[]): readonly string[] | null {
  if (/^(?:echo|printf|Write-(?:Host|Output))$/.test(program)) return words;
  return words.length === 0 && /^"[^"/\\]*[ =][^"/\\]*"$/.test(program) ? [program] : null;
}
