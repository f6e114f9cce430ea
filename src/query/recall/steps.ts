const recallStepsMax = 24;

/** What a command line runs, by program and subcommand, without what differs from one time to the next: options, targets, folders. */
export function stepsOf(command: string): readonly string[] {
  const found = new Set<string>();
  const pipelines = withoutTexts(command).split(/&&|\|\||[;&\n]/);
  for (const pipeline of pipelines.slice(0, recallStepsMax)) {
    for (const [at, part] of pipeline.split('|').entries()) {
      const step = stepOf(part);
      // What only filters or shows what another prints is not what is run.
      if (step !== null && (at === 0 || !filter.test(step))) found.add(step);
    }
  }
  return [...found];
}

const filter = /^(?:tail|head|cat|tee|grep|egrep|rg|sed|awk|sort|uniq|wc|jq|less|tr|cut|column)$/;

/** The part of `steps` that `others` has too, 0 to 1. */
export function shared(steps: readonly string[], others: readonly string[]): number {
  if (steps.length === 0) return 0;
  const known = others.map(withoutTarget);
  return steps.filter((step) => known.includes(withoutTarget(step))).length / steps.length;
}

/** What a step asks of a server stands behind its program: another question of the same program is another step, but as much its work. */
function withoutTarget(step: string): string {
  return step.replace(/ @.*$/, '');
}

/** Whether the command only looks or asks: that it finds nothing is an answer, not a failure. */
export function onlyLooks(steps: readonly string[]): boolean {
  return steps.every((step) => looks.test(step));
}

const looks =
  /^(?:ls|cat|grep|egrep|rg|ag|find|fd|head|tail|which|type|test|\[|\[\[|stat|file|pwd|diff|cmp|pgrep|ps|wc|sort|uniq|jq|sed|awk|less|readlink|realpath|command|git (?:diff|grep|log|show|rev-parse|ls-files|ls-remote|config|cat-file|merge-base|check-ignore|symbolic-ref|status|branch)|gh (?:pr|issue|run|search)|kill|lsof)$/;

/** Quoted texts and here-documents say what is worked on. */
function withoutTexts(command: string): string {
  return command
    .slice(0, 4_000)
    .replace(/<<-?\s*['"\\]?(\w+)['"]?[^\n]*\n[\s\S]*?(?:\n\s*\1\s*(?=\n|$|\))|$)/g, ' ')
    .replace(/\\\r?\n\s*/g, ' ')
    .replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, (found) =>
      /^["'][\w./-]{1,80}["']$/.test(found) ? found.slice(1, -1) : ' x ',
    )
    .replace(/\d?>&\d|&>>?\s*\S+|\d?>>?\s*\S+/g, ' ');
}

function stepOf(part: string): string | null {
  const words = part.trim().split(/\s+/);
  while (words[0] !== undefined && lead.test(words[0])) {
    // `timeout 60 npm test`, `nice -n 5 make`: what belongs to the runner goes with it.
    const runner = words.shift();
    while (
      /^(?:timeout|nice|env|xargs)$/.test(runner ?? '') &&
      /^(?:-\S*|[\d.]+[smh]?)$/.test(words[0] ?? '')
    )
      words.shift();
  }
  const [first = '', ...rest] = words;
  const program = first.replace(/^.*\//, '');
  if (!/^[\w.+@[-][\w.+@:[-]*$/.test(program) || idle.has(program)) return null;
  const plain = withoutOptions(rest);
  if ((program === 'gh' && plain[0] === 'api') || program === 'curl') {
    const target = plain.find((word) => word.includes('/')) ?? '';
    const isWrite = rest.some((word) => /^(?:-[XfFd]|--(?:method|field|raw-field|input|data)\b)/.test(word));
    return `${program}${isWrite ? ' write' : ''} @${target.replace(/[?#].*$/, '').replace(/\b\d+\b/g, '#')}`;
  }
  if (/^(?:python3?|node|bash|sh|zsh|tsx|ruby|deno|bun)$/.test(program) && /\.\w{1,4}$/.test(plain[0] ?? ''))
    return `${program} ${(plain[0] ?? '').replace(/^.*\//, '')}`;
  const verbs = plain.slice(0, plain[0] === 'run' ? 2 : 1).filter((word) => /^[a-z][\w:.-]*$/i.test(word));
  if (withVerbs.has(program) || /\.(?:sh|py|mjs|js|ts|rb)$/.test(program))
    return [program, ...verbs].join(' ');
  return program;
}

function withoutOptions(words: readonly string[]): readonly string[] {
  return words.filter(
    (word, at) =>
      !word.startsWith('-') &&
      !/^(?:-[Cc]|--prefix|--cwd|--dir|--filter|-w|--workspace)$/.test(words[at - 1] ?? ''),
  );
}

const lead =
  /^(?:[A-Za-z_]\w*=\S*|sudo|time|env|command|exec|nohup|nice|timeout|xargs|do|then|else|!|[({]+|\)|npx|bunx|pnpx|rtk|proxy|-y|--yes)$/;
const idle = new Set(
  'cd echo printf sleep true false : export set source . for done fi while wait clear x exit'.split(' '),
);
const withVerbs = new Set(
  `git gh go cargo npm pnpm yarn bun deno mise make just task docker kubectl helm terraform pip pip3 uv poetry brew apt apt-get
  rake bundle gradle gradlew mvn dotnet swift npm nx turbo systemctl rustup nvm fly vercel wrangler supabase prisma biome ruff`.split(
    /\s+/,
  ),
);
