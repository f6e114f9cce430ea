import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { messageTools, type Observation } from '#core/event';
import { redactObservation, redactText } from '#redact/engine';
import { rules } from '#redact/rules';
import { samplesOf } from '../../../test/support/secrets.ts';

const password = ['tangerine', 'submarine', '47'].join('-');

const said = (text: string): Observation => ({
  ...{ tool: messageTools.user, input: {}, output: text, sessionId: 's', toolUseId: null },
  ...{ ts: '2026-01-01T00:00:00.000Z', client: 'generic', isError: false, cwd: null },
  message: { role: 'user', turnId: null, agentId: null },
});

const sentences: readonly (readonly [string, (secret: string) => string])[] = [
  ['at the end', (secret) => `Please use this for staging: ${secret}`],
  ['in backticks', (secret) => `Set it to \`${secret}\` and run the tests again.`],
  ['in quotes', (secret) => `He wrote "${secret}" in the ticket.`],
  ['before a comma', (secret) => `It was ${secret}, I think, but the deploy failed.`],
  ['in a code block', (secret) => `Here:\n\n\`\`\`\n${secret}\n\`\`\`\n\nThat is all.`],
  ['quoted line by line', (secret) => `> ${secret.replaceAll('\n', '\n> ')}\n\nWhat is this?`],
];

describe('a secret in a message', () => {
  it.each(sentences)('of every known format is found %s', (_place, sentence) => {
    const missed = rules.flatMap((rule) =>
      samplesOf(rule).flatMap((sample) => {
        const { text, redactions } = redactText(sentence(sample));
        return redactions > 0 && !text.includes(sample) ? [] : [rule.name];
      }),
    );
    expect(missed).toEqual([]);
  });

  it('over several lines, and private parts, leave nothing of themselves', () => {
    const lines = Array.from({ length: 4 }, (_, at) => `${at}Ab+/`.repeat(12));
    const mark = (edge: string): string => `-----${edge} RSA PRIVATE ${'KEY'}-----`;
    const key = [mark('BEGIN'), ...lines, mark('END')].join('\n');
    const text = `Why is this refused?\n${key}\n<private>\nthe ${password} recipe\n</private>\nDB_PASSWORD=${password}`;
    const { output } = redactObservation(said(text)).value;
    expect(output).toBe(
      'Why is this refused?\n<redacted:private-key>\n<redacted:private>\nDB_PASSWORD=<redacted:env>',
    );
  });

  it('in the id of a turn or a subagent is found', () => {
    const ids = { turnId: `DB_PASSWORD=${password}`, agentId: `DB_PASSWORD=${password}` };
    const { value } = redactObservation({ ...said('hello'), message: { role: 'user', ...ids } });
    expect(value.message).toEqual({
      ...{ role: 'user', turnId: 'DB_PASSWORD=<redacted:env>', agentId: 'DB_PASSWORD=<redacted:env>' },
    });
  });
});

/** The even lines of bench/prose: the odd ones were for building the rules. */
function evenLines(name: string): string[] {
  const file = path.join(import.meta.dirname, '../../../bench/prose', name);
  const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.filter((_, at) => at % 2 === 1).map((line) => line.replaceAll('\\n', '\n'));
}

describe('what a sentence says to be a secret', () => {
  it('is found in nine of ten sentences, and its sentence stays', () => {
    const lines = evenLines('secrets.txt');
    const missed = lines.filter((line) => {
      const [, secret = ''] = /«(.*)»/.exec(line) ?? [];
      return redactText(line.replace(/[«»]/g, '')).text.includes(secret);
    });
    expect(missed.length).toBeLessThanOrEqual(lines.length / 10);
    expect(redactText('the password for staging is hunter2x, and the port 8080').text).toBe(
      'the password for staging is <redacted:password>, and the port 8080',
    );
  });

  it('is left where a sentence only talks about secrets', () => {
    const lines = evenLines('look-alikes.txt');
    const changed = lines.filter((line) => redactText(line).redactions > 0);
    expect(changed.length).toBeLessThanOrEqual(lines.length / 50);
  });

  it.each([
    'log in as demo / d3mo-user',
    'the token is "q8Zt-44mNp-20xLw"',
    'n3ptune! is my password',
    'пароль: Zima2023!',
  ])('is not changed again in %s', (line) => {
    const once = redactText(line);
    expect(once.redactions).toBe(1);
    expect(redactText(once.text).redactions).toBe(0);
  });
});
