import { type Options, type Rule, rowsOf, ruleOf } from '../rule.ts';
import { isPlaceholder, isTemplate, looksRandom } from '../value.ts';
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
    const given = words === '' ? [] : words.split(' ').map((option) => option.split('='));
    const flags = given.some(([option]) => option === 'i') ? 'i' : '';
    return ruleOf(name, keywords.split('|').flatMap(keywordsOf), { source, flags }, optionsOf(given));
  },
);

function optionsOf(given: readonly string[][]): Options {
  const tests = given.flatMap(([option = '', value = '']) => {
    const test = checks[option];
    if (test === undefined && !options.test(option))
      throw new Error(`Unknown option of a pattern: ${option}`);
    return test === undefined ? [] : [(secret: string) => test(secret, Number(value))];
  });
  const numberOf = (name: string): number => Number(given.find(([option]) => option === name)?.[1] ?? 0);
  const at = (['word', 'anywhere'] as const).find((place) => given.some(([option]) => option === place));
  return {
    at: at ?? 'free',
    before: numberOf('before'),
    entropyMin: numberOf('entropy'),
    check: (secret) => tests.every((test) => test(secret)),
  };
}

function decoded(text: string): string {
  return Buffer.from(text, 'base64').toString('latin1');
}

function keywordsOf(text: string): readonly string[] {
  const [, before = '', letters = '', after = ''] = /^([^[]*)\[([^\]]+)\](.*)$/.exec(text) ?? [];
  if (letters !== '') return [...letters].flatMap((letter) => keywordsOf(before + letter + after));
  return [JSON.parse(`"${text}"`)];
}
