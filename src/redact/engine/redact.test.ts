import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '#core/event';
import { runs } from '../../../test/support/runs.ts';
import { fill } from '../../../test/support/secrets.ts';
import { redact, redactObservation } from './index.ts';

describe('redact', () => {
  it.each<[Json, Json]>([
    [{ password: 'x' }, { password: '<redacted:password>' }],
    [
      { headers: { authorization: 'Bearer abc123' } },
      { headers: { authorization: 'Bearer <redacted:authorization>' } },
    ],
    [{ headers: { Cookie: 'sid=abc123def456; a=b' } }, { headers: { Cookie: 'sid=<redacted:cookie>; a=b' } }],
    [
      { env: { DB_PASSWORD: 'hunter2', PATH: '/usr/bin' } },
      { env: { DB_PASSWORD: '<redacted:env>', PATH: '/usr/bin' } },
    ],
    [
      { env: [{ name: 'DB_PASSWORD', value: 'hunter2' }] },
      { env: [{ name: 'DB_PASSWORD', value: '<redacted:env>' }] },
    ],
    [
      ['--password', 'hunter2'],
      ['--password', '<redacted:password>'],
    ],
    [
      ['/usr/bin/curl', '-H', 'X-Note: two words', '-u', 'me:s3cr3tpw9', 'https://example.org'],
      [
        '/usr/bin/curl',
        '-H',
        'X-Note: two words',
        '-u',
        '<redacted:command-credentials>',
        'https://example.org',
      ],
    ],
    [
      ['sshpass', '-p', 's3cr3tpw9', 'ssh', 'host'],
      ['sshpass', '-p', '<redacted:command-credentials>', 'ssh', 'host'],
    ],
    [
      ['mysql', '-u', 'root', '-ps3cr3tpw9'],
      ['mysql', '-u', 'root', '-p<redacted:command-credentials>'],
    ],
    [{ passwords: ['a1', 'b2'] }, { passwords: ['<redacted:password>', '<redacted:password>'] }],
    [{ password: 123456 }, { password: '<redacted:password>' }],
    [
      { kind: 'Secret', data: { any: 'eA==' } },
      { kind: 'Secret', data: { any: '<redacted:kubernetes-secret>' } },
    ],
    [{ text: '{"password": "x"}' }, { text: '{"password": "<redacted:password>"}' }],
    [{ a: [{ b: 'API_TOKEN=abc123' }] }, { a: [{ b: 'API_TOKEN=<redacted:env>' }] }],
  ])('%j', (value, expected) => {
    expect(redact(value).value).toEqual(expected);
  });

  it.each<[Json]>([
    [{ max_tokens: 200, token: 'string', password: null, secret: true }],
    [{ file_path: '/src/password.ts', pattern: 'password', old_string: 'const token = next()' }],
    [{ key: 'value', tokens: ['a', 'b'], id: fill('hex', 40) }],
    [[1, 'two', null, true, { three: [] }]],
    [['curl', 1, '', 'https://example.org', { u: 'a b' }]],
  ])('leaves alone: %j', (value) => {
    expect(redact(value)).toEqual({ value, redactions: 0, kinds: {} });
  });

  it('redacts secrets in keys', () => {
    const key = `AKIA${fill('upper', 16)}`;
    expect(redact({ [key]: 1 })).toEqual({
      value: { '<redacted:aws-access-key>': 1 },
      redactions: 1,
      kinds: { 'aws-access-key': 1 },
    });
  });

  it('redacts every text in the data of a Kubernetes Secret, and reads other values as usual', () => {
    const token = `ghp_${fill('alnum', 36)}`;
    const data = { deep: { password: 'hunter2x' }, list: [token], note: `my token: ${token}`, [token]: '' };
    expect(redact({ kind: 'Secret', data }).value).toEqual({
      kind: 'Secret',
      data: {
        deep: { password: '<redacted:password>' },
        list: ['<redacted:github-token>'],
        note: '<redacted:kubernetes-secret>',
        '<redacted:github-token>': '',
      },
    });
  });

  it('keeps two secret keys apart', () => {
    const value = { [`AKIA${fill('upper', 16, 1)}`]: 'a', [`AKIA${fill('upper', 16, 2)}`]: 'b' };
    expect(Object.values(redact(value).value as object)).toEqual(['a', 'b']);
  });

  it('keeps __proto__ as data', () => {
    const value: Json = JSON.parse('{"__proto__": {"password": "x"}}');
    const result = redact(value).value;
    expect(JSON.stringify(result)).toBe('{"__proto__":{"password":"<redacted:password>"}}');
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });

  it('changes nothing more the second time', () => {
    const name = fc.constantFrom(
      'password',
      'API_KEY',
      'token',
      'authorization',
      'cookie',
      'name',
      'value',
      'kind',
      'data',
      'x',
    );
    const leaf = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'hunter2',
        'Bearer abc123',
        'Secret',
        'DB_PASSWORD',
        'sid=abc123def456',
        fill('alnum', 30),
        '<private>x',
      ),
      fc.integer(),
    );
    const tree = fc.letrec<{ node: Json }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(name, tie('node'), { maxKeys: 4 }),
      ),
    })).node;
    fc.assert(
      fc.property(tree, (value) => {
        const once = redact(value).value;
        expect(redact(once)).toEqual({ value: once, redactions: 0, kinds: {} });
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('redactObservation', () => {
  it('leaves a call without input or output as it is', () => {
    const observation: Observation = {
      ...{ tool: 'Bash', input: null, output: null, sessionId: 's', toolUseId: null, cwd: null },
      ...{ ts: '2026-01-01T00:00:00.000Z', client: 'generic', isError: false },
    };
    expect(redactObservation(observation).value).toEqual(observation);
  });

  it('reaches every text of an observation', () => {
    const token = `ghp_${fill('alnum', 36)}`;
    const observation: Observation = {
      tool: `run ${token}`,
      input: { command: `A_TOKEN=${token}` },
      output: token,
      sessionId: token,
      toolUseId: token,
      ts: '2026-01-02T03:04:05.678Z',
      client: 'generic',
      isError: false,
      cwd: `/tmp/${token}`,
    };
    const { value, redactions } = redactObservation(observation);
    expect(JSON.stringify(value)).not.toContain(token);
    expect(value).toMatchObject({
      ts: observation.ts,
      client: 'generic',
      cwd: '/tmp/<redacted:github-token>',
    });
    expect(redactions).toBe(6);
  });
});
