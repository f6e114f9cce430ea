import { describe, expect, it } from 'vitest';
import { redactText } from '#redact/engine';
import { fill } from '../../../test/support/secrets.ts';

const body = fill('alnum', 36, 3);
const key = fill('alnum', 40, 5);
const halves = [body.slice(0, 9), body.slice(9)] as const;

describe('a secret that signs or escapes hide from the rules', () => {
  it.each([
    ['a match that grep colours', `x \u001b[01;31m\u001b[Kghp_\u001b[m\u001b[K${body} z`],
    ...[
      '\u200b',
      '\u200d',
      '\u00ad',
      '\u2060',
      '\ufeff',
      '\u202e',
      '\ufe0f',
      '\u0000',
      '\u{e0041}',
      '\u3164',
    ].map((sign) => [JSON.stringify(sign), `see ghp_${halves.join(sign)} ok`]),
    ['a title of a window', `see ghp_${halves.join('\u001b]0;x\u0007')} ok`],
    ['colours in a string of JSON', String.raw`{"out":"\u001b[32mghp_\u001b[0m${body}"}`],
    ['colours that cat -v shows', `gho^[[32m_${body}`],
    ['Markdown', `ghp\\_${body}`],
    ['Markdown in a string', `glpat\\\\-${fill('alnum', 20, 2)}`],
    ['JSON', `ghp\\u005f${body}`],
    ['an address', `ghp%5F${body}`],
    ['HTML', `ghp&#x5f;${body}`],
    ['an overstrike', `ghp_${halves.join('a\b')}`],
  ])('%s inside a token', (_name, text) => {
    const { text: seen, redactions } = redactText(text);
    expect(redactions).toBe(1);
    expect(seen).not.toMatch(/[A-Za-z0-9]{20}/);
  });

  it.each([
    ['jq -C', '\u001b[34;1m"apiKey"\u001b[0m: \u001b[32m"%"\u001b[0m'],
    ['a printed option', '\u001b[1m--token\u001b[22m \u001b[33m%\u001b[39m'],
    ['256 colours', '\u001b[38;5;141mapi_key\u001b[0m \u001b[38;2;1;2;3m= %\u001b[0m'],
    ['a log in a string', String.raw`{"line":"\u001b[36msecret_key\u001b[0m=%\u001b[0m"}`],
    ['a no-break space', 'the token\u00a0is %'],
    ['a narrow space', 'clé API\u202f: %'],
    ['an ideographic space', 'トークンは\u3000% です'],
    ['HTML', '<pre>{&quot;apiKey&quot;:&quot;%&quot;}</pre>'],
    ['an element in HTML', '&lt;apiKey&gt;%&lt;/apiKey&gt;'],
    ['a space of HTML', 'my API key&nbsp;is&nbsp;%'],
    ['an address in an address', 'https://x.example/?next=https%3A%2F%2Fy.example%2F%3Fapi_key%3D%'],
    ['an escaped string', String.raw`data = "{\u0022apiKey\u0022:\u0022%\u0022}"`],
  ])('%s before a value', (_name, text) => {
    const place = /%(?![0-9A-F]{2})/;
    const { text: seen, redactions } = redactText(text.replace(place, key));
    expect(redactions).toBe(1);
    expect(seen.replace(/<redacted:[a-z-]+>/, '%')).toBe(text);
  });

  it.each([
    '\u001b[32m✓\u001b[39m the token\u00a0is expired \u001b[90m(12 ms)\u001b[39m',
    '✔️ password\ufe0f: required',
    'look for /ghp\\_[a-z0-9]+/ and "sk\\-proj\\-"',
    'https://x.example/a%20b?next=%2Fhome%3Fpage%3D2',
    '&lt;password&gt;&#123;&#123; password &#125;&#125;&lt;/password&gt;',
    String.raw`console.log("\x1b[31mpassword\x1b[0m: " + password)`,
  ])('changes nothing in %j', (text) => {
    expect(redactText(text).text).toBe(text);
  });
});
