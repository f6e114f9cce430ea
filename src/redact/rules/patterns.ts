import { isPlaceholder, isTemplate, looksRandom, type Rule, rowsOf, ruleOf } from '#redact/form';
import { patternTable } from './pattern-table.ts';

/** What a pattern cannot say of a secret. */
const checks: Readonly<Record<string, (secret: string, from: number) => boolean>> = {
  random: (secret, from) => looksRandom(secret.slice(from)),
  digit: (secret) => /\d/.test(secret),
  filled: (secret) => !isPlaceholder(secret),
  address: (secret) => !isTemplate(secret) && !/^\[?passw(?:or)?d\]?$/i.test(secret),
  credential: (secret) =>
    !isPlaceholder(secret) && !scheme.test(secret) && (looksRandom(secret) || /\d/.test(secret)),
  userAndPassword: (secret) => /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(decoded(secret)),
  pem: (secret) => decoded(secret.slice(0, 80)).includes('PRIVATE KEY'),
  hashed: (secret) =>
    secret.split('$').some((part) => part.length >= 20 && looksRandom(part)) || secret.startsWith('grub'),
};

const options = /^(?:i|word|anywhere|before|entropy)$/;

/** The word after a header's name that is not its credential. */
const scheme = /^(?:Bearer|Basic|Token|null|none|undefined|string|true|false|req|request|header|headers)\b/i;

export const patternRules: readonly Rule[] = rowsOf(patternTable).map(
  ([name = '', keywords = '', source = '', words = '']) => {
    const given = new Map<string, number>();
    for (const word of words === '' ? [] : words.split(' ')) {
      const [option = '', value] = word.split('=');
      if (checks[option] === undefined && !options.test(option))
        throw new Error(`Unknown option of a pattern: ${option}`);
      given.set(option, Number(value ?? 0));
    }
    const tests = [...given].map(
      ([option, value]) =>
        (secret: string) =>
          checks[option]?.(secret, value) ?? true,
    );
    const at = (['word', 'anywhere'] as const).find((place) => given.has(place)) ?? 'free';
    return ruleOf(
      name,
      keywords.split('|').flatMap(keywordsOf),
      { source, flags: given.has('i') ? 'i' : '' },
      {
        ...{ at, before: given.get('before') ?? 0, entropyMin: given.get('entropy') ?? 0 },
        check: (secret) => tests.every((test) => test(secret)),
      },
    );
  },
);

function decoded(text: string): string {
  return Buffer.from(text, 'base64').toString('latin1');
}

function keywordsOf(text: string): readonly string[] {
  const [, before = '', letters = '', after = ''] = /^([^[]*)\[([^\]]+)\](.*)$/.exec(text) ?? [];
  if (letters !== '') return [...letters].flatMap((letter) => keywordsOf(before + letter + after));
  return [JSON.parse(`"${text}"`)];
}
