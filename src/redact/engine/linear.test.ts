import { describe, expect, it } from 'vitest';
import type { Json } from '#core/event';
import { rules } from '#redact/rules';
import { runs } from '../../../test/support/runs.ts';
import { fill, samplesOf } from '../../../test/support/secrets.ts';
import type { Rule } from '../form/rule.ts';
import { nameKeywords } from '../names/name.ts';
import { redact } from './redact.ts';
import { redactText } from './text.ts';

const fillers = [
  ...[
    '',
    '=',
    ':',
    ' ',
    '"',
    "'",
    '\n',
    '-',
    '_',
    '.',
    '/',
    '+',
    '@',
    ',',
    ';',
    '$',
    '|',
    '<',
    '>',
    '\\',
    '\\n',
    '\\\\',
  ],
  ...[
    'xxxxxx=',
    'aaaa ',
    'a1B2c3D4',
    '==========',
    '-----',
    ':::::',
    '="',
    "='",
    '=\\"',
    '=`',
    '":"',
    ': ',
    ',"',
    ' -p ',
    '%3D',
  ],
];

/** Words that lead to what is not in the table of rules: names, cookies, blocks, tables, keys in JSON. */
const otherWords = [
  ...[
    ...nameKeywords,
    'password',
    'DB_PASSWORD',
    '--password',
    '<password',
    '<password a=',
    'requirepass',
    'ENV TOKEN ',
  ],
  ...[
    'cookie',
    'set-cookie: a=b; ',
    'sessid',
    '<private',
    '</private>',
    'kind: Secret\n',
    'data:\n  a: b\n',
    'data: {\n',
    ' --from-literal=a=',
    '+a\n',
    '"name":\\n"value":\\n',
    '"kty":"a","d":"',
  ],
  ...[
    'insert into a(password) values (',
    '|password|\n|---|\n',
    'a,password\n',
    '{"passwords":[',
    'name="password"\n\n',
  ],
  ...[
    'the password is ',
    'use token ',
    'password for the ',
    'x1y2z3 is the password ',
    'log in with a / ',
    'пароль ',
    '密码是',
    'a1 as the secret ',
    'API key ',
    'NAME_TOKEN to ',
    'token:',
    'token=',
    'clé de ',
    'put x1y2z3A4B5C6D7E8 in A_TOKEN ',
    'job-ghp_',
  ],
  ...[`-----BEGIN PRIVATE ${'KEY'}-----`, `-----END PRIVATE ${'KEY'}-----`, 'AAAAAAAAAAAAAAAAAAAAAAAAAAAA\n'],
];

/** Texts of which many in a row may be costly for a rule: its keywords and its samples, whole, broken off and masked. */
function unitsOf(rule: Rule): string[] {
  const samples = samplesOf(rule).flatMap((sample) => [
    sample,
    sample.slice(0, -1),
    sample.slice(0, sample.length >> 1),
    sample.replace(/[A-Za-z0-9]{12,}/g, (word) => 'x'.repeat(word.length)),
  ]);
  return withFillers([...rule.keywords, ...samples]);
}

function withFillers(words: readonly string[]): string[] {
  return words.flatMap((word) => fillers.map((filler) => word + filler));
}

/** CPU time in ms, the least of `times`: what else runs on the machine can only add to it. */
function cost(work: () => unknown, times: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times; time++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

/** Whole units: a cut one may end in a secret at one length and not at the other, which costs another pass. */
function repeated(unit: string, length: number): string {
  return unit.repeat(Math.max(1, Math.floor(length / unit.length)));
}

/** How many times as long twice the work takes; the least of some tries. Below 20 ms the timer and the collector are what counts. */
function growth(make: (size: number) => () => unknown, size: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 4 && least > 2.5; time++) {
    const once = cost(make(size), 2);
    const twice = cost(make(2 * size), 2);
    least = Math.min(least, twice / Math.max(once, 20));
  }
  return least;
}

function drawn<T>(items: readonly T[], count: number): T[] {
  const left = [...items];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const [item] = left.splice(Math.floor(Math.random() * left.length), 1);
    return item as T;
  });
}

describe('the time that a text takes grows with its length', () => {
  it('for the slowest texts made from every rule and notation', { timeout: 300_000 }, () => {
    const draws = runs(2);
    const units = [
      ...rules.flatMap((rule) => drawn(unitsOf(rule), draws)),
      ...drawn(withFillers(otherWords), draws * otherWords.length),
      // Two words in turn, so that neither ends what the other begins.
      ...drawn(otherWords, draws * 8).flatMap((one) =>
        drawn(otherWords, 2).map((other) => `${one}="${other}='`),
      ),
    ];
    const screened = units.map((unit) => ({ unit, ms: cost(() => redactText(repeated(unit, 24_000)), 1) }));
    const slowest = screened.sort((a, b) => b.ms - a.ms).slice(0, runs(10));
    // From 256 KB to 512 KB; in the deep run to 4 MB.
    const size = draws > 3 ? 2_000_000 : 256_000;
    for (const { unit } of slowest) {
      const make = (length: number) => {
        const text = repeated(unit, length);
        return () => redactText(text);
      };
      expect(growth(make, size), JSON.stringify(unit)).toBeLessThan(2.5);
    }
  });

  it('for more lines of a diff than a call takes arguments', () => {
    const secret = `hx7${fill('alnum', 9)}`;
    const { text } = redactText(`+machine a\n+  login b\n+  password ${secret}\n${'+a\n'.repeat(200_000)}`);
    expect(text).not.toContain(secret);
    expect(text.split('\n')).toHaveLength(200_004);
  });

  it.each<[string, (size: number) => Json]>([
    ['secrets as keys', (size) => Object.fromEntries(upTo(size, (index) => [`AKIA${base32(index)}`, index]))],
    [
      'sensitive keys',
      (size) => Object.fromEntries(upTo(size, (index) => [`password${index}`, `x${index}`])),
    ],
    ['one long key', (size) => ({ ['A'.repeat(size * 50)]: ['x1', 'y2'] })],
    [
      'values under a long key',
      (size) => ({ [`${'a'.repeat(size)}Password`]: upTo(size, (index) => `x${index}`) }),
    ],
    ['keys in JSON', (size) => upTo(size, (index) => ({ kty: 'EC', d: `d${index}`, oth: [{ r: 'r' }] }))],
    ['a command line', (size) => ['curl', ...upTo(size, () => '-u'), 'a:b1c2d3']],
  ])('in JSON: %s', { timeout: 120_000 }, (_, made) => {
    const make = (size: number) => {
      const value = made(size);
      return () => redact(value);
    };
    expect(growth(make, 10_000)).toBeLessThan(2.5);
  });

  it.each([
    'a',
    '=',
    '"',
    "'",
    '\\',
    'password=',
    'password="',
    'password=\\"',
    'password: ',
    'token',
    'secret_',
    '<private>',
    '<private ',
    '\\u003cprivate ',
    'x="',
    '<password>',
    'eyJ',
    'eyJa.',
    'eyJaaaaaaaaaaaa.eyJ/',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\nAAAAAAAAAAAAAAAAAAAAAAAA\n',
    '-----END PRIVATE KEY-----',
    'AAAAAAAAAAAAAAAAAAAAAAAAA\n',
    '://',
    '://a:',
    '://a:b@',
    'Cookie: a=b; ',
    'cookie=',
    'kind: Secret\n',
    'data:\n a: b\nkind: Secret\n',
    '+kind: Secret\n+data:\n+  a: b\n',
    '{"kind":"Secret","data":{"a":"b"}},',
    '[{"kind":"Secret","data":',
    'kind: Secret\\n',
    'kubectl patch secret ',
    'create secret --from-literal=a=b ',
    '</private>',
    '<redacted:private></private>',
    'value: x name: a ',
    '12:machine ',
    '------END PRIVATE KEY-----\n',
    'authorization: ',
    'bearer ',
    'basic ',
    ' -u',
    'curl -u a',
    '\\n-u=',
    '--user=',
    'aws_secret',
    'aws_secret ',
    'name value',
    'key: ',
    'ghp_',
    'sk-',
    '_live_',
    'webhook',
    ' ',
    '\n',
    '\t',
    '%3D',
    '\\n',
    '[0m',
    '$2b$10$',
    'machine a ',
    'mysql -',
    'docker login ',
    '0x',
    'private key ',
    'A3-',
    'q~',
    ':aa',
    ...['recovery code ab1c-', 'admin:Aa1', 'assword send "', 'I changed the password to '],
    ...['wifi key is a1 ', 'creds: me a1 ', '?key=a1'],
  ])('a megabyte of %j is read in linear time', { timeout: 60_000 }, (unit) => {
    const input = unit.repeat(Math.ceil(1_000_000 / unit.length));
    expect(typeof redactText(input).text).toBe('string');
    expect(typeof redactText(`password="${input}`).text).toBe('string');
  });
});

function upTo<T>(size: number, make: (index: number) => T): T[] {
  return Array.from({ length: size }, (_, index) => make(index));
}

function base32(index: number): string {
  return index.toString(36).toUpperCase().padStart(16, 'Q');
}
