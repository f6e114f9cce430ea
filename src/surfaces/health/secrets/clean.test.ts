import { describe, expect, it } from 'vitest';
import { cleanJsonText } from './clean.ts';

const password = ['tangerine', 'submarine', '47'].join('-');
const payload = {
  ...{
    tool: 'Bash',
    input: { command: 'env' },
    output: `DB_PASSWORD=${password}`,
    sessionId: 'token-of-a-session',
  },
  ...{ toolUseId: null, ts: '2026-01-01T00:00:00.000Z', client: 'generic', isError: false, cwd: '/p' },
};

describe('a stored payload', () => {
  it('is redacted as capture does it, and gets no field that it had not', () => {
    const cleaned = cleanJsonText(JSON.stringify(payload));
    expect(JSON.parse(cleaned?.text ?? '')).toEqual({ ...payload, output: 'DB_PASSWORD=<redacted:env>' });
    expect(cleaned?.kinds).toEqual({ env: 1 });
    expect(cleaned?.removed).toEqual([{ text: password, placeholder: '<redacted:env>' }]);
  });

  it('is redacted in what was added to it as well: how the work ended that it started', () => {
    const ended = { by: null, failed: false, exitCode: 0, output: `DB_PASSWORD=${password}` };
    const cleaned = cleanJsonText(JSON.stringify({ ...payload, output: 'started', ended }));
    expect(JSON.parse(cleaned?.text ?? '').ended).toEqual({ ...ended, output: 'DB_PASSWORD=<redacted:env>' });
    expect(cleaned?.kinds).toEqual({ env: 1 });
  });

  it('of another shape is redacted value by value', () => {
    expect(cleanJsonText(JSON.stringify([{ password }]))?.text).toMatch(
      /^\[\{"password":"<redacted:[a-z-]+>"\}\]$/,
    );
  });

  it('that is torn is redacted as text', () => {
    const torn = JSON.stringify(payload).slice(0, -30);
    expect(cleanJsonText(torn)?.text).toBe(torn.replace(password, '<redacted:env>'));
  });

  it('without a secret is left alone, however it is laid out', () => {
    expect(cleanJsonText(JSON.stringify({ ...payload, output: 'ok' }, null, 2))).toBeNull();
    expect(cleanJsonText('')).toBeNull();
  });
});
