import { describe, expect, it } from 'vitest';
import { redact, redactText } from '#redact/engine';
import { fill } from '../../../test/support/secrets.ts';

const word = ['PRIVATE', 'KEY'].join(' ');
const body = [3, 5, 11, 13, 17, 19].map((seed) => fill('base64', 64, seed)).concat(`${fill('alnum', 14)}==`);

/** What tools print before and after each line of a file. */
const layouts: Readonly<Record<string, (line: string, at: number) => string>> = {
  'a removed line': (line) => `-${line}`,
  'an added line': (line) => `+${line}`,
  'a combined diff': (line) => `- ${line}`,
  'plain diff': (line) => `< ${line}`,
  'diff with words': (line) => `[-${line}-]{+${fill('base64', 64, line.length)}+}`,
  'diff with colours': (line) => `\u001b[32m+\u001b[m\u001b[32m${line}\u001b[m`,
  'a context of grep': (line, at) => `keys/a.pem-${at + 8}-${line}`,
  'docker compose logs': (line) => `web-1  | ${line}`,
  journalctl: (line) => `Nov 22 10:00:00 host app[1]: ${line}`,
  'kubectl logs': (line) => `2026-11-22T10:00:00.123456789Z stdout F ${line}`,
  'a log of JSON': (line) => JSON.stringify({ log: `${line}\n`, stream: 'stdout' }),
  'git blame': (line, at) => `abc123de (Jo Name 2026-01-02 10:00:00 +0100 ${at + 1}) ${line}`,
  'cat -A': (line) => `${line}^M$`,
  'cat -n': (line, at) => `     ${at + 1}\t${line}`,
  'quoted mail': (line) => `> > ${line}`,
  'a comment': (line) => ` * ${line}`,
  'source code': (line) => `  "${line}\\n" +`,
  'a list of YAML': (line) => `  - "${line}"`,
};

describe('a private key', () => {
  const kinds = ['', 'RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED '].map((kind) => `${kind}${word}`);
  const cases = [...kinds, `PGP ${word} BLOCK`].flatMap((kind) =>
    Object.entries(layouts).map(([name, layout]) => ({ kind, name, layout })),
  );
  it.each(cases)('is redacted whole or with one end: $kind in $name', ({ kind, layout }) => {
    const lines = [`-----BEGIN ${kind}-----`, ...body, `-----END ${kind}-----`].map(layout);
    for (const shown of [lines, lines.slice(1), lines.slice(0, -1), lines.slice(3), lines.slice(0, -3)]) {
      const text = `before it\n${shown.join('\n')}\nafter it`;
      for (const value of [text, ['before it', ...shown, 'after it'], JSON.stringify({ text })]) {
        const once = redact(value).value;
        const said = JSON.stringify(once);
        expect(body.filter((line) => said.includes(line))).toEqual([]);
        expect(said).toMatch(/before it.*after it/s);
        expect(redact(once)).toEqual({ value: once, redactions: 0, kinds: {} });
      }
    }
  });

  const [begin, end] = [`-----BEGIN RSA ${word}-----`, `-----END RSA ${word}-----`];
  it.each<[string, string]>([
    ['one changed line', ` ${begin}\n ${body[0]}\n-${body[1]}\n+${body[2]}\n ${body[3]}\n ${end}`],
    ['a changed kind', `-----BEGIN [-RSA-]{+EC+} ${word}-----\n${body[0]}\n${body[1]}`],
    ['side by side', [begin, body[0], body[1], end].map((line) => `${line} | ${line}`).join('\n')],
    [
      'with other lines between',
      [begin, body[0], 'db-1 | ready', body[1], 'db-1 | ready', body[2]].join('\n'),
    ],
    ['in one line', [begin, ...body, end].join(' ')],
    ['as a list', JSON.stringify([begin, ...body])],
    ['of PuTTY', `-Private-Lines: 2\n-${body[0]}\n-${body[1]}\n-Private-MAC: 00`],
    ['of SSH2', `---- BEGIN SSH2 ENCRYPTED ${word} ----\n+${body[0]}\n+${body[1]}`],
  ])('%s goes', (_, text) => {
    const said = redactText(text).text;
    expect(body.filter((line) => said.includes(line))).toEqual([]);
  });

  it.each([
    `-----BEGIN CERTIFICATE-----\n${body[0]}\n-----END CERTIFICATE-----`,
    `-----BEGIN PUBLIC KEY-----\n${body[0]}\n-----END PUBLIC KEY-----`,
    `const begin = "${begin}";\nconst { someLongNameOfAVariable } = load("src/components/Dashboard/Header/index");\n`,
    `if (!text.startsWith("${begin}")) throw new Error("no key");\nreturn text.endsWith("${end}");`,
  ])('is not seen in %j', (text) => {
    expect(redactText(text).text).toBe(text);
  });
});
