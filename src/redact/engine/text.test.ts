import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rules } from '#redact/rules';
import { runs } from '../../../test/support/runs.ts';
import { fill, samplesOf } from '../../../test/support/secrets.ts';
import { redactText } from './text.ts';

/** Texts and what they become; tokens are put together at run time, so that no scanner takes this file for a leak. */
const key = `AKIA${fill('upper', 16)}`;
const random = fill('alnum', 32);

describe('redactText', () => {
  it.each([
    ['DB_PASSWORD=hunter2', 'DB_PASSWORD=<redacted:env>'],
    ['export API_KEY="abc123def"', 'export API_KEY="<redacted:env>"'],
    ["  DB_PASS='hunter2' # why", "  DB_PASS='<redacted:env>' # why"],
    ['A=1\nJWT_SECRET=supersecretvalue\nB=2', 'A=1\nJWT_SECRET=<redacted:env>\nB=2'],
    ['SECRET_KEY = "not-so-plain-7x"', 'SECRET_KEY = "<redacted:env>"'],
    ['POSTGRES_PASSWORD: hunter2', 'POSTGRES_PASSWORD: <redacted:env>'],
    ['{"env":"A=1\\nDB_PASSWORD=hunter2\\nB=2"}', '{"env":"A=1\\nDB_PASSWORD=<redacted:env>\\nB=2"}'],
    ['-e MYSQL_PWD=s3cr3t mysql', '-e MYSQL_PWD=<redacted:env> mysql'],
  ])('environment: %j', (text, expected) => {
    expect(redactText(text)).toMatchObject({ text: expected, redactions: 1, kinds: { env: 1 } });
  });

  it.each([
    ['password: hunter2', 'password: <redacted:password>'],
    ['{"password":"x"}', '{"password":"<redacted:password>"}'],
    ['\\"password\\": \\"x y\\"', '\\"password\\": \\"<redacted:password>\\"'],
    [
      '{\\\\\\"password\\\\\\": \\\\\\"x\\\\\\"}',
      '{\\\\\\"password\\\\\\": \\\\\\"<redacted:password>\\\\\\"}',
    ],
    ['const password = "hunter2";', 'const password = "<redacted:password>";'],
    ['let password: &str = "hunter2";', 'let password: &str = "<redacted:password>";'],
    ['<password>hunter2</password>', '<password><redacted:password></password>'],
    ['<add key="Password" value="hunter2" />', '<add key="Password" value="<redacted:password>" />'],
    ['mysql --password hunter2 db', 'mysql --password <redacted:password> db'],
    ['- name: DB_PASSWORD\n  value: hunter2\n', '- name: DB_PASSWORD\n  value: <redacted:env>\n'],
    ['spring.datasource.password=hunter2', 'spring.datasource.password=<redacted:password>'],
    ['postgres://app:p@ss@db/x', 'postgres://app:<redacted:url-credentials>@db/x'],
    ['Authorization: Bearer abc.def-ghi123', 'Authorization: Bearer <redacted:authorization>'],
    ['Set-Cookie: sid=s3cr3tvalue; Path=/', 'Set-Cookie: sid=<redacted:cookie>; Path=/'],
    ['Cookie: session=abc123def456; theme=dark', 'Cookie: session=<redacted:cookie>; theme=dark'],
    [`id ${key}.`, 'id <redacted:aws-access-key>.'],
    [`apiToken := \`${random}\``, 'apiToken := `<redacted:secret>`'],
    [`cloudflare: "${fill('hex', 37)}"`, 'cloudflare: "<redacted:high-entropy>"'],
    ['a <private>b</private> c', 'a <redacted:private> c'],
    ['a <private>b <private>c</private> d</private> e', 'a <redacted:private> e'],
    ['a <private>b\nc', 'a <redacted:private>'],
    ['&lt;private&gt;a&lt;/private&gt; b', '<redacted:private> b'],
    ['%3Cprivate%3Ea%3C%2Fprivate%3E b', '<redacted:private> b'],
    ['\\u003cprivate\\u003ea\\u003c/private\\u003e b', '<redacted:private> b'],
  ])('%j', (text, expected) => {
    expect(redactText(text).text).toBe(expected);
  });

  it.each([
    'password = getPassword()',
    'password = config.password',
    'password: string;',
    'sign(message: Uint8Array, secretKey: Uint8Array): Uint8Array',
    'privateKey: X25519PrivateKey;',
    'accessToken: OAuth2Token | undefined',
    'password: Utf8String,',
    'signingKey: Readonly<Uint8Array>',
    'private_key: Secp256k1SecretKey',
    'apiKey: `sk_${string}`;',
    'token: string',
    'const token = parse(input)',
    'process.env.API_KEY',
    'apiKey: process.env.API_KEY,',
    'api_key = os.environ["API_KEY"]',
    'secretName: my-secret',
    'TOKEN_LIMIT=4096',
    'max_tokens: 200',
    'API_KEY=${VAR}',
    'API_KEY="$1"',
    'TOKEN=<your-token>',
    'token=xxxx',
    'PASSWORD=***',
    'PASSWORD=',
    'api_key: YOUR_API_KEY',
    'password: null',
    'password: true',
    'nextPageToken: "CAUQAA12abc34def56"',
    'private_key_path = "/etc/ssl/private/key.pem"',
    'commit 3f786850e387550fdab836ed7e6dc881de23001b',
    'id: 123e4567-e89b-42d3-a456-426614174000',
    'integrity sha512-pQ8rT0vXyZ1a2B3c4D5e6F7g8H9i0JkLmNoPqRsTuVwXyZ0123456789+/==',
    'cacheKey = "node-modules-3f786850e387550fdab836ed7e6dc881de23001b"',
    'if strings.Contains(s, "-----BEGIN PRIVATE KEY-----") {',
    'https://example.org:8080/a@b',
    'https://${user}:${password}@host/',
    'Authorization: Bearer ${token}',
    'Authorization: Bearer <token>',
    '--- PASS: TestGeminiInstall/idempotent_second_install_returns_0 (0.01s)',
    'tokenizer.pad_token = "[PAD]"',
    'the password must be at least 8 characters',
    '"password": "Your password",',
    'import { token } from "./token-store.ts"',
  ])('leaves alone: %j', (text) => {
    expect(redactText(text)).toEqual({ text, redactions: 0, kinds: {} });
  });

  const body = [fill('base64', 64, 3), fill('base64', 64, 5), fill('base64', 40, 9)];
  const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} RSA PRIVATE ${'KEY'}-----`);
  it.each([
    ['whole', `a\n${begin}\n${body.join('\n')}\n${end}\nb`, 'a\n<redacted:private-key>\nb'],
    ['escaped', `"${begin}\\n${body.join('\\n')}\\n${end}\\n"`, '"<redacted:private-key>\\n"'],
    ['cut off', `a\n${begin}\n${body.join('\n')}`, 'a\n<redacted:private-key>'],
    ['numbered', `1→${begin}\n2→${body.join('\n3→')}\n4→${end}\nb`, '1→<redacted:private-key>\nb'],
    [
      'encrypted',
      `${begin}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AB12\n\n${body.join('\n')}\n${end}`,
      '<redacted:private-key>',
    ],
  ])('a private key, %s', (_, text, expected) => {
    expect(redactText(text).text).toBe(expected);
  });

  it('redacts the values of a Kubernetes Secret under any name', () => {
    const yaml =
      'kind: Secret\nmetadata:\n  name: a\ndata:\n  extra: YWRtaW46cGFzcw==\n  note: {{ x }}\ntype: Opaque\n';
    expect(redactText(yaml).text).toBe(yaml.replace('YWRtaW46cGFzcw==', '<redacted:kubernetes-secret>'));
  });
});

describe('properties', () => {
  const samples = rules.flatMap((rule) => samplesOf(rule));
  const piece = fc.oneof(
    fc.constantFrom(...samples),
    fc.constantFrom(
      'password',
      'DB_TOKEN',
      'secret',
      'Cookie: ',
      'Authorization: Bearer ',
      '--password ',
      'curl -u ',
      '://u:',
    ),
    fc.constantFrom(
      '=',
      ': ',
      '"',
      "'",
      '\\"',
      '`',
      '\n',
      '\\n',
      ' ',
      '@',
      '<',
      '>',
      ',',
      ';',
      '</',
      '.',
      '-----',
      'kind: Secret\n',
      'data:\n  ',
    ),
    fc.constantFrom(
      '<redacted:env>',
      '<private>',
      '</private>',
      `-----BEGIN PRIVATE ${'KEY'}-----`,
      `-----END PRIVATE ${'KEY'}-----`,
    ),
    fc.string({ maxLength: 12 }),
    fc.integer({ min: 8, max: 48 }).map((length) => fill('alnum', length, length)),
  );
  const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));

  it('redacting twice changes nothing more', () => {
    fc.assert(
      fc.property(text, (input) => {
        const once = redactText(input).text;
        expect(redactText(once)).toEqual({ text: once, redactions: 0, kinds: {} });
      }),
      { numRuns: runs(500) },
    );
  });

  it('counts by kind what it counts in all', () => {
    fc.assert(
      fc.property(text, (input) => {
        const { redactions, kinds, text: result } = redactText(input);
        expect(Object.values(kinds).reduce((sum, count) => sum + count, 0)).toBe(redactions);
        if (redactions === 0) expect(result).toBe(input);
      }),
    );
  });

  // Quadratic work on a megabyte would take hours, so that the runner's own timeout is the check.
});

describe('every rule is linear by its form', () => {
  it.each(rules.map((rule) => [rule.name, rule] as const))(
    '%s repeats nothing without a bound',
    (_, rule) => {
      const { pattern, tail } = rule.form();
      const patterns = [pattern, ...tail.filter((part) => typeof part !== 'string')];
      for (const { source } of patterns) {
        const plain = source.replace(/\\./g, '').replace(/\[[^\]]*\]/g, '');
        expect(plain).not.toMatch(/[*+]|\{\d+,\}/);
      }
    },
  );

  it.each(rules.map((rule) => [rule.name, rule] as const))(
    '%s has keywords that come in order',
    (_, rule) => {
      // One in the middle of another would be found first, though it begins later.
      for (const one of rule.keywords)
        for (const other of rule.keywords)
          expect(one === other || !one.slice(1, -1).includes(other), `${one} ${other}`).toBe(true);
    },
  );
});
