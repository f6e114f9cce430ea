import { describe, expect, test } from 'vitest';
import { identify, type Observation } from '#core/event';
import { payloadCharsMax, textCharsMax } from '#core/limits';
import { prepare } from './prepare.ts';

const blank: Observation = {
  tool: 'Bash',
  input: {},
  output: '',
  sessionId: 's',
  toolUseId: null,
  ts: '2026-01-01T00:00:00.000Z',
  client: 'generic',
  isError: false,
  cwd: null,
};
// Put together here, so that no scanner takes this file for a leak.
const secret = ['ghp', 'Zk3Rt7Yv1Qw9Lm5Xc8Bn2Hd6Js4Fg0PaUeTi'].join('_');

describe('prepare', () => {
  test('redacts before it cuts: a secret on the cut is not kept by half', () => {
    const head = Math.ceil(textCharsMax * 0.7);
    for (let shift = -60; shift <= 20; shift += 1) {
      const output = `${'a '.repeat((head + shift) / 2)}${secret} ${'b '.repeat(textCharsMax)}`;
      const { event, redactions } = prepare({ ...blank, output });
      expect(redactions).toBe(1);
      for (let from = 0; from + 12 <= secret.length; from += 1) {
        expect(JSON.stringify(event.output)).not.toContain(secret.slice(from, from + 12));
      }
    }
  });

  describe('of a text that is much longer than what is stored', () => {
    const filler = 'a line of a log\n'.repeat(40_000);
    const storedOf = (input: string, output: string) => {
      const { event } = prepare({ ...blank, input: { command: input }, output });
      return JSON.stringify([event.input, event.output]);
    };

    test('counts what is cut, with what was left out before', () => {
      const { output } = prepare({ ...blank, output: filler }).event;
      const text = typeof output === 'string' ? output : '';
      const [note = '', count] = /\n\[\.\.\. (\d+) characters cut by memd \.\.\.\]\n/.exec(text) ?? [];
      expect(text.length - note.length + Number(count)).toBe(filler.length);
    });

    test('redacts the end by what stands in the middle', () => {
      const rows = `user,password\n${'me,hunter22x\n'.repeat(60_000)}`;
      expect(storedOf('', filler + rows)).not.toContain('hunter22x');
    });

    test.each([
      ['in one text', '', `${filler}<private>\n${filler}HIDE ${filler}</private>\n`, 'log'],
      ['up to the end', '', `${filler}<private>\n${filler}HIDE`, 'log'],
      ['to the end of another text', '<private> HIDE', `HIDE ${filler}</private>${filler}`, 'log'],
    ])('takes out a private part %s', (_, input, output, kept) => {
      const stored = storedOf(input, output);
      expect(stored).not.toContain('HIDE');
      expect(stored).toContain(kept);
      expect(stored).toContain('<redacted:private>');
    });

    test('leaves no part of a key that begins or ends where it is shortened', () => {
      const key = Array.from({ length: 30 }, () => `${secret}${secret}`.slice(0, 64).replaceAll('_', 'x'));
      const block = [`-----BEGIN PRIVATE ${'KEY'}-----`, ...key, `-----END PRIVATE ${'KEY'}-----`].join('\n');
      for (const shift of [128 * 1024 - 900, 128 * 1024]) {
        const stored = storedOf(
          '',
          `${filler.slice(0, shift)}\n${block}\n${filler}\n${block}\n${filler.slice(-shift)}`,
        );
        expect(stored).not.toContain('Zk3Rt7Yv1Qw9');
      }
    });
  });

  test('redacts before it identifies: an id reveals nothing of a secret', () => {
    const one = prepare({ ...blank, output: `token ${secret}` }).event;
    const other = prepare({ ...blank, output: `token ${secret.replace('Zk3', 'Ab4')}` }).event;
    expect(one.id).toBe(other.id);
    expect(one.id).not.toBe(identify({ ...blank, output: `token ${secret}` }).id);
  });

  test('redacts every text of the call, its ids and keys as well', () => {
    const { event } = prepare({
      ...blank,
      tool: `x ${secret}`,
      input: { [secret]: [secret], nested: { command: `curl -H "x: ${secret}"` } },
      output: { stdout: secret, stderr: `a\n${secret}\n` },
      sessionId: `s ${secret}`,
      toolUseId: `t ${secret}`,
      cwd: `/p/${secret}`,
    });
    expect(JSON.stringify(event)).not.toContain(secret);
    expect(JSON.stringify(event)).not.toContain(secret.slice(8, 24));
  });

  test('makes two events of two calls whose ids differ only where they are redacted or cut', () => {
    const other = secret.replace('Zk3', 'Ab4');
    const long = 'long '.repeat(200);
    for (const [one, two] of [
      [{ toolUseId: secret }, { toolUseId: other }],
      [
        { sessionId: secret, toolUseId: 'call-1' },
        { sessionId: other, toolUseId: 'call-1' },
      ],
      [{ toolUseId: `${long}a` }, { toolUseId: `${long}b` }],
      [{ toolUseId: 'a\0b' }, { toolUseId: 'a\0c' }],
    ]) {
      const events = [
        prepare({ ...blank, ...one, output: 'one' }),
        prepare({ ...blank, ...two, output: 'two' }),
      ];
      const [first, second] = events.map(({ event }) => event);
      expect(first?.id).not.toBe(second?.id);
      expect(prepare({ ...blank, ...one, output: 'one' }).event).toEqual(first);
    }
  });

  test('keeps the ids of calls apart by a hash where they held a token, and not where they held a password', () => {
    const of = (toolUseId: string, ts = blank.ts) => prepare({ ...blank, toolUseId, ts }).event;
    const call = of(`call-${secret}`);
    expect(call.toolUseId).toMatch(/^call-<redacted:github-token>~[0-9a-f]{16}$/);
    // The transcript tells the same call at another time.
    expect(of(`call-${secret}`, '2026-01-01T00:00:09.000Z').id).toBe(call.id);
    expect(of(`call-${secret.replace('Zk3', 'Ab4')}`).id).not.toBe(call.id);
    // What is stored is not redacted again.
    expect(prepare(call).event).toMatchObject({ toolUseId: call.toolUseId, id: call.id });
    expect(of('call DB_PASSWORD=hunter2').toolUseId).toBeNull();
  });

  test('keeps to the limits, and to the same id for the same call reported again', () => {
    const output = Array.from({ length: 40 }, (_, at) => `${at} words `.repeat(1_000));
    const { event } = prepare({ ...blank, output });
    expect(JSON.stringify([event.input, event.output]).length).toBeLessThanOrEqual(payloadCharsMax);
    expect(prepare({ ...blank, output: [...output] }).event).toEqual(event);
  });

  test('leaves a harmless call as it is', () => {
    const observation = { ...blank, input: { command: 'ls -la' }, output: 'total 0' };
    const { event, redactions } = prepare(observation);
    expect(redactions).toBe(0);
    expect(event).toEqual({ ...observation, id: event.id });
  });
});
