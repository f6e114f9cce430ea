import { describe, expect, it } from 'vitest';
import type { Json } from '#core/event';
import { redact, redactText } from '#redact/engine';
import { fill } from '../../../test/support/secrets.ts';

const one = fill('alnum', 32, 3);
const other = fill('alnum', 28, 7);
const password = `Cedar8${fill('digit', 3, 2)}!${fill('lower', 2, 4)}`;

describe('what a name in the plural holds', () => {
  it.each([
    ['a list in code', `const apiTokens: string[] = ['${one}', "${other}"];`],
    ['a map in code', `secrets = { live: "${one}", 'dev': '${other}' }`],
    ['Ruby', `access_tokens => { :live => "${one}", :dev => "${other}" }`],
    ['a nested map', `{"apiKeys": {"mail": {"v": "${one}"}, "maps": ["${other}"]}}`],
    ['JSON in a string', JSON.stringify(`{"tokens": ["${one}", "${other}"]}`)],
    ['a list of YAML', `auth:\n  api_keys:\n    - ${one}\n    - "${other}"\nnext: x\n`],
    ['a list of YAML without indent', `secretKeys:\n- ${one}\n- ${other}\n`],
    ['a section of TOML', `[secrets]\nlive = "${one}"\ndev = "${other}"\n\n[other]\na = 1\n`],
    ['a variable', `API_KEYS=${one},${other}`],
    ['a set', `const accessTokens = new Set(['${one}', '${other}'])`],
  ])('%s', (_name, text) => {
    const { text: seen } = redactText(text);
    expect(seen).not.toContain(one);
    expect(seen).not.toContain(other);
  });

  it('YAML below passwords', () => {
    expect(redactText(`passwords:\n  root: ${password}\n  kim: ${password}x\nport: 5432`).text).toMatch(
      /^passwords:\n {2}root: <redacted:\w+>\n {2}kim: <redacted:\w+>\nport: 5432$/,
    );
  });

  it.each<Json>([
    { tokens: { live: one, dev: { a: other } } },
    { apiKeys: [{ of: 'mail', v: one }, other] },
    { passwords: { root: password } },
    { headers: [['X-Api-Key', one]] },
    { rawHeaders: ['Host', 'x', 'X-Auth-Token', one] },
  ])('in %j', (value) => {
    const seen = JSON.stringify(redact(value).value);
    for (const secret of [one, other, password]) expect(seen).not.toContain(secret);
  });

  it.each([
    'tokens: {input: 1200, output: 3400}',
    'const tokens = ["the", "##ing", "[CLS]"]',
    'secrets:\n  db_password:\n    file: ./secrets/db_password2.txt\n',
    'apiKeys: ["stripe", "mailgun", "sendgrid2"]',
    `{"tokens": {"id": "${one}", "sha256": "${fill('hex', 64)}", "url": "https://x.example/a"}}`,
    `{"tokens": {"of": {"snapshot": "${fill('hex', 40)}"}}}`,
    "passwords: { minLength: 8, algorithm: 'argon2id' }",
    'hex tokens: commit ids, run ids (30044141768), task ids (a3bfb5c078bd8da96), prefixes',
    'sshKeys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB0Yxk8vJ9d2 kim@host"]',
    'max_tokens: 4096, min_tokens: 12',
  ])('leaves %j', (text) => {
    expect(redactText(text).text).toBe(text);
  });

  it.each<[Json, number]>([
    [{ password: ['hunter2', 'hunter3'] }, 2],
    [{ db_password: ['hunter2', 'hunter3', 'hunter4', 'hunter5'] }, 4],
    [{ password: ['hunter2', ['hunter3', 'hunter4']] }, 3],
    [{ cookie: ['theme', 'sid=abc123def456'] }, 1],
  ])('in %j every value, also behind one that could be the name of a pair', (value, many) => {
    const once = redact(value);
    expect(once.redactions).toBe(many);
    expect(redact(once.value)).toEqual({ value: once.value, redactions: 0, kinds: {} });
  });

  it('leaves a list of names', () => {
    const value = { tools: ['mcp__azure-devops__core', 'mcp__azure-devops__wiki2Pages'] };
    expect(redact(value).redactions).toBe(0);
  });
});

describe('a list of passwords that begins like a command', () => {
  it.each([
    { passwords: ['--password', { data: '#password' }] },
    { password: ['--token', { value: 'my password' }] },
    { passwords: ['hunter2', 'DB_PASSWORD', { text: '#pin' }] },
  ])('is not changed again: %j', (value) => {
    const once = redact(value);
    expect(redact(once.value)).toEqual({ value: once.value, redactions: 0, kinds: {} });
  });

  it('still has the value of a flag that is itself a value', () => {
    const { value } = redact({ words: ['--password', '--password', 'hunter2'] });
    expect(value).toEqual({ words: ['--password', '<redacted:password>', '<redacted:password>'] });
  });
});
