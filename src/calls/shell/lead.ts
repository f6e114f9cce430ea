/** Drops variables of the environment, and runners that only find or time the program. */
export function withoutLead(words: readonly string[]): readonly string[] {
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const next = words[at + 1] ?? '';
    if (
      /^(?:[A-Za-z_]\w*=.*|sudo|time|env|rtk|proxy|command|exec|nohup|npx|pnpx|bunx|-y|--yes|--bun)$/s.test(
        word,
      )
    )
      continue;
    // `rtk test npm test`
    if (words[at - 1] === 'rtk' && /^(?:test|err)$/.test(word) && next !== '') continue;
    if (/^(?:pnpm|yarn|npm|bun|mise)$/.test(word) && /^(?:exec|dlx|x)$/.test(next))
      at += words[at + 2] === '--' ? 2 : 1;
    else if (/^(?:timeout|nice)$/.test(word))
      while (/^(?:-\S*|[\d.]+[smh]?)$/.test(words[at + 1] ?? '')) at += 1;
    else if (/^(?:uv|poetry|pipenv|bundle)$/.test(word) && /^(?:run|exec)$/.test(next)) at += 1;
    else break;
  }
  return words.slice(at);
}

/** Programs that change nothing and show nothing of the project. */
export function isIdle(program: string): boolean {
  return /^(?:cd|echo|printf|sleep|true|false|:|export|set|source|\.|wait|clear|exit)$/.test(program);
}
