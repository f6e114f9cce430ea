import { describe, expect, it } from 'vitest';
import { redact, redactText } from '#redact/engine';

/** Words without a digit, which only their place makes a secret. */
const words = ['letmein', 'correcthorse', 'qwertzuiop'];

describe('a word as the password of a command', () => {
  it.each([
    (word: string) => `mysql -uroot --password=${word} -e 'select 1'`,
    (word: string) => `mysqldump -p${word} app`,
    (word: string) => `java -Ddb.password=${word} -jar app.jar`,
    (word: string) => `terraform apply -var db_password=${word} -auto-approve`,
    (word: string) => `helm install x --set auth.password=${word},replicas=2`,
    (word: string) => `pg_dump "host=h user=u password=${word} dbname=d"`,
    (word: string) => `sudo mount -o username=me,password=${word} //h/s /m`,
    (word: string) => `Server=h;User Id=sa;Password=${word};Encrypt=true`,
    (word: string) => `POST user=me&passwd=${word}&next=home`,
    (word: string) => `http -a me:${word} example.com`,
    (word: string) => `ALTER USER 'me' IDENTIFIED BY "${word}"`,
  ])('is replaced: %s', (line) => {
    for (const word of words) expect(redactText(line(word)).text).not.toContain(word);
  });

  it('is replaced whatever its letters, in an option', () => {
    expect(redactText('wget --user=me --password=Sommer https://h').text).not.toContain('Sommer');
    expect(redactText('mongodump --password yIPXzRwM --db x').text).not.toContain('yIPXzRwM');
  });

  it.each([
    'cargo login prompts for a token',
    'mysql -u root -p customers',
    'connect(user=user, password=keyring, host=h)',
    'login user=me password=missing ip=1',
    'pass=12345 fail=3 skipped=2',
    'use --password Flag to ask',
    'println("Enter the login password "); ring("bell")',
    `fill('set your password '); click("next")`,
    '"Which algorithm signs the token?"="RS256"',
    '"Where is the secret kept?"="config/v2/secrets.ts"',
    '"Which hash for passwords?"="argon2id"',
  ])('is left: %s', (line) => {
    expect(redactText(line).text).toBe(line);
  });
});

it('an edit that fills in a value keeps the name, and the value goes everywhere', () => {
  const value = 'N3Cjkochhi8wRmHsZRZNTkGPz73ApPmE';
  const call = { new_string: value, lines: ['-DB_PASSWORD=changeme', `+DB_PASSWORD=${value}`] };
  expect(redact(call).value).toEqual({
    new_string: '<redacted:env>',
    lines: ['-DB_PASSWORD=changeme', '+DB_PASSWORD=<redacted:env>'],
  });
});

it.each([
  ['an answer to a question', '"What is the database password?"="6v2Dga!n3PRi7".', '6v2Dga!n3PRi7'],
  ['an address of JSON with escaped slashes', String.raw`{"u":"https:\/\/me:3GPbDguSDM@h\/x"}`, '3GPbDguSDM'],
  ['a token before x-oauth-basic', `https://${'02f2caa59d'.repeat(4)}:x-oauth-basic@h/a`, '02f2caa59d02f2'],
  [
    'the words of a wallet',
    'seed phrase: witch collapse practice feed shame open despair creek road again ice least',
    'shame open',
  ],
])('replaces %s', (_, text, secret) => {
  expect(redactText(text, undefined, true).text).not.toContain(secret);
});
