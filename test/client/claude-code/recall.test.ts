import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { said, toolResults } from './conversation.ts';
import { builtPlugin, closeDesks, openDesk, removePlugin, summariesOfCalls } from './desk.ts';
import type { Asked } from './model.ts';
import { bash, call } from './reply.ts';
import { claude, session, title, usualTools } from './session.ts';

afterEach(closeDesks);
afterAll(removePlugin);

const millwright = `#!/bin/sh
[ "$1" = grind ] && echo ground && exit
echo "millwright: unrecognized subcommand '$1'" >&2
exit 2
`;

describe.skipIf(claude === null)(`a command that fails in ${title}`, () => {
  test('as one did days ago: with the failure the model gets what worked then, in a sub-agent too', async () => {
    const desk = await openDesk({ 'inject.recall': 'failures', 'inject.sessionStart': false });
    const { home, model } = desk;
    const plugin = builtPlugin();
    fs.writeFileSync(path.join(home.project, 'millwright'), millwright, { mode: 0o755 });
    const [wrong, right] = [bash('./millwright grind-all ./ears'), bash('./millwright grind --all ./ears')];
    model.play([wrong, right, { say: 'bye' }]);
    await session(desk, { plugin });
    expect(toolResults(model.turns().at(-1)).map(({ isError }) => isError)).toEqual([true, false]);
    await until('the summaries', () => summariesOfCalls(home).length === 2);

    const days = async (): Promise<void> => {
      expect(await home.memd(['stop'])).toMatchObject({ code: 0 });
      for (const table of ['events', 'summaries'])
        home.operate(`UPDATE ${table} SET ts = strftime('%Y-%m-%dT%H:%M:%fZ', ts, '-3 days')`);
    };
    await days();
    model.play([wrong, { say: 'bye' }]);
    await session(desk, { plugin });
    const [before, after] = model.turns();
    expect(said(before)).not.toContain('memd-record');
    expect(toolResults(after)).toMatchObject([{ isError: true }]);
    const context = /PostToolUseFailure:Bash hook additional context: (.*)/s.exec(said(after))?.[1];
    expect(context).toMatch(/memd-record.*worked then: `\.\/millwright grind --all \.\/ears`/s);

    await days();
    const task = { description: 'grind', prompt: 'Grind ears.', subagent_type: 'general-purpose' };
    model.play([call('Agent', task), wrong, { say: 'tried' }, { say: 'bye' }]);
    await session(desk, { plugin, allowed: [...usualTools, 'Agent'] });
    const isOfAgent = (turn: Asked): boolean =>
      said(turn).includes('Grind ears.') && !said(turn).includes('Do it.');
    const [begins, ends] = model.turns().filter(isOfAgent);
    expect(said(begins)).not.toContain('memd-record');
    expect(said(ends)).toMatch(/memd-record.*worked then: `\.\/millwright grind --all \.\/ears`/s);
  });
});
