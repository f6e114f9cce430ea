import type { SessionTalk } from './talk.ts';
import type { SessionTally } from './tally.ts';

export const digestTermsCharsMax = 1_500;

/** Search terms of a session that its digest does not hold: names first, then prompts. */
export function termsOf(talk: SessionTalk, facts: SessionTally): string {
  const files = [...facts.files.values()].sort((one, other) => other.edits - one.edits);
  const texts = [
    ...files.map(({ path }) => path),
    ...facts.commits,
    ...facts.plans,
    ...facts.answers.map(({ answer }) => answer),
    ...files.flatMap(({ symbols }) => [...symbols]),
    ...facts.checks.names(),
    ...talk.prompts(),
    ...talk.replies(),
    ...facts.sought,
  ];
  const words = new Set<string>();
  let chars = 0;
  for (const text of texts) {
    for (const word of text.split(/[\s,;:()[\]{}"'`“”‘’…<>]+/)) {
      if (word.length < 3 || word.length > wordCharsMax || words.has(word)) continue;
      chars += word.length + 1;
      if (chars > digestTermsCharsMax) return [...words].join(' ');
      words.add(word);
    }
  }
  return [...words].join(' ');
}

const wordCharsMax = 120;
