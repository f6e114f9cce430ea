import { isIdle, withoutLead } from './lead.ts';
import type { Pipeline } from './script.ts';

const programsMax = 24;

/** The programs of a script with their subcommands, without what differs between runs: options, targets, folders. */
export function programsOf(pipelines: readonly Pipeline[]): readonly string[] {
  const found = new Set<string>();
  for (const { commands } of pipelines.slice(0, programsMax)) {
    for (const [at, words] of commands.entries()) {
      const program = programOf(words.map(unquoted));
      // A filter only shows what another command prints.
      if (program !== null && (at === 0 || !filter.test(program))) found.add(program);
    }
  }
  return [...found];
}

const filter = /^(?:tail|head|cat|tee|grep|egrep|rg|sed|awk|sort|uniq|wc|jq|less|tr|cut|column|while)$/;

/** A quoted text is data for the program, unless it is a name or a path. */
function unquoted(word: string): string {
  return word.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, (text) =>
    /^["'][\w./-]{1,80}["']$/.test(text) ? text.slice(1, -1) : 'x',
  );
}

function programOf(all: readonly string[]): string | null {
  const start = all[0] === 'xargs' ? all.findIndex((word) => !/^(?:xargs|-\S*|[\d.]+)$/.test(word)) : 0;
  const [first = '', ...rest] = withoutLead(all.slice(start));
  const program = first.replace(/^.*\//, '');
  if (!/^[\w.+@[-][\w.+@:[-]*$/.test(program) || program === 'x' || isIdle(program)) return null;
  const plain = withoutOptions(rest);
  if ((program === 'gh' && plain[0] === 'api') || program === 'curl') {
    const target = plain.find((word) => word.includes('/')) ?? '';
    const isWrite = rest.some((word) => /^(?:-[XfFd]|--(?:method|field|raw-field|input|data)\b)/.test(word));
    return `${program}${isWrite ? ' write' : ''} @${target.replace(/[?#].*$/, '').replace(/\b\d+\b/g, '#')}`;
  }
  if (/^(?:python3?|node|bash|sh|zsh|tsx|ruby|deno|bun)$/.test(program) && /\.\w{1,4}$/.test(plain[0] ?? ''))
    return `${program} ${(plain[0] ?? '').replace(/^.*\//, '')}`;
  if (!withVerbs.has(program) && !/\.(?:sh|py|mjs|js|ts|rb)$/.test(program)) return program;
  const verbs = plain.slice(0, plain[0] === 'run' ? 2 : 1).filter((word) => /^[a-z][\w:.-]*$/i.test(word));
  return [program, ...verbs].join(' ');
}

function withoutOptions(words: readonly string[]): readonly string[] {
  return words.filter(
    (word, at) =>
      !word.startsWith('-') &&
      !/^(?:-[Cc]|--prefix|--cwd|--dir|--filter|-w|--workspace)$/.test(words[at - 1] ?? ''),
  );
}

const withVerbs = new Set(
  `git gh go cargo npm pnpm yarn bun deno mise make just task docker kubectl helm terraform pip pip3 uv poetry brew apt apt-get
  rake bundle gradle gradlew mvn dotnet swift npm nx turbo systemctl rustup nvm fly vercel wrangler supabase prisma biome ruff`.split(
    /\s+/,
  ),
);
