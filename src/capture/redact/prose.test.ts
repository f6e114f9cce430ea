import { describe, expect, it } from 'vitest';
import { messageTools, type Observation } from '../../core/event/index.ts';
import { redactObservation, redactText } from './index.ts';
import { rules } from './rules/index.ts';

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
      rule.samples().flatMap((sample) => {
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
