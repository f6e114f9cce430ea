import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { said, toolResults } from './conversation.ts';
import { builtPlugin, closeDesks, openDesk, removePlugin } from './desk.ts';
import { bash } from './reply.ts';
import { claude, session, title } from './session.ts';

afterEach(closeDesks);
afterAll(removePlugin);

describe.skipIf(claude === null)(`a command that a rule concerns in ${title}`, () => {
  test('runs, and the model gets the rule once', async () => {
    const desk = await openDesk({ 'inject.sessionStart': false });
    const { home, model } = desk;
    await home.start();
    const add = ['rule', 'add', 'shout the greeting', '--command', 'echo hello'];
    expect(await home.mem(add)).toMatchObject({ code: 0 });
    model.play([bash('echo hello world'), bash('echo hello again'), { say: 'bye' }]);
    await session(desk, { plugin: builtPlugin() });
    const [before, after, last] = model.turns();
    expect(said(before)).not.toContain('shout the greeting');
    expect(toolResults(after)).toMatchObject([{ isError: false }]);
    expect(said(after)).toMatch(/PreToolUse:Bash hook additional context: .*shout the greeting/s);
    expect(said(last).split('shout the greeting')).toHaveLength(2);
  });
});
