import fs from 'node:fs';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { end, lives } from '../../support/processes.ts';
import { until } from '../../support/until.ts';
import { toolResults } from './conversation.ts';
import { builtPlugin, closeDesks, type Desk, openDesk, removePlugin } from './desk.ts';
import { bash, type Turn } from './reply.ts';
import { claude, session, talk, title } from './session.ts';

afterEach(closeDesks);
afterAll(removePlugin);

/** A desk where the settings are as they come: what is too slow goes by the spool. */
const asItComes = (): Promise<Desk> => openDesk({ captureObservationBudgetMs: 250 });

const thenBash = (before: () => void | Promise<void>, command: string): Turn => ({
  before,
  ...bash(command),
});

/** Each of the calls is one event, however it came in. */
async function storedOnce({ home, model }: Desk, ...commands: string[]): Promise<void> {
  const ids = toolResults(model.turns().at(-1)).map(({ toolUseId }) => toolUseId);
  expect(ids).toHaveLength(commands.length);
  const stored = () =>
    home.rows("SELECT tool_use_id FROM events WHERE kind = 'call'").map((row) => String(row.tool_use_id));
  await until(`events of ${commands.join(', ')}`, () => stored().length >= ids.length);
  expect(stored().sort()).toEqual(ids.sort());
}

describe.skipIf(claude === null)(`the daemon with ${title}`, () => {
  test('one that hangs when a session begins is replaced, and the session goes on', async () => {
    const desk = await asItComes();
    const { home, model } = desk;
    const hung = await home.start();
    process.kill(hung, 'SIGSTOP');
    model.play([bash('echo one'), bash('echo two'), { say: 'bye' }]);
    const { tookMs } = await session(desk, { plugin: builtPlugin() });
    console.log(`a session that finds a hung daemon: ${Math.round(tookMs)} ms`);
    // On a busy machine the hook may leave before the restart that it began is done.
    await until('the end of the hung one', () => !lives(hung));
    await until('a daemon in its place', () => home.daemons().length === 1);
    // What was too slow for the budget waits in the spool.
    await home.memd(['restart']);
    await storedOnce(desk, 'one', 'two');
  });

  test('one that is killed within a session loses no call: the next session brings them in', async () => {
    const desk = await asItComes();
    const { home, model } = desk;
    const plugin = builtPlugin();
    const kill = async (): Promise<void> => {
      for (const pid of home.daemons()) await end(pid);
    };
    model.play([bash('echo one'), thenBash(kill, 'echo two'), bash('echo three'), { say: 'bye' }]);
    await session(desk, { plugin });
    expect(toolResults(model.turns().at(-1)).map(({ text }) => text)).toEqual(['one', 'two', 'three']);
    expect(home.daemons()).toEqual([]);
    expect(fs.statSync(home.workspace().spool).size).toBeGreaterThan(0);
    const played = model.turns().at(-1);
    model.play([{ say: 'bye' }]);
    await session(desk, { plugin });
    if (played !== undefined) model.asked.push(played);
    await storedOnce(desk, 'one', 'two', 'three');
  });

  test('one that hangs within a session holds up no call, and each is stored once when it goes on', async () => {
    const desk = await asItComes();
    const { home, model } = desk;
    const signal = (name: NodeJS.Signals) => (): void => {
      for (const pid of home.daemons()) process.kill(pid, name);
    };
    model.play([
      bash('echo one'),
      thenBash(signal('SIGSTOP'), 'echo two'),
      bash('echo three'),
      thenBash(signal('SIGCONT'), 'echo four'),
      { say: 'bye' },
    ]);
    await session(desk, { plugin: builtPlugin() });
    expect(await home.memd(['restart'])).toMatchObject({ code: 0 });
    await storedOnce(desk, 'one', 'two', 'three', 'four');
  });

  test('one that cannot start costs a session a line for the person, and no call', async () => {
    const desk = await openDesk(null);
    const { home, model } = desk;
    home.writeConfig('{"topK": }');
    model.play([bash('echo one'), { say: 'bye' }]);
    const lines = await talk(desk, builtPlugin(), ['Do it.']);
    expect(home.daemons()).toEqual([]);
    expect(toolResults(model.turns().at(-1))).toMatchObject([{ text: 'one', isError: false }]);
    const messages = lines.filter((line) => line.includes('systemMessage'));
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(/memd: the daemon is not running: .*config\.json is not valid JSON/);
    // Not for the model: it may hold a path or the words of a settings file.
    expect(JSON.stringify(model.asked)).not.toContain('config.json');
  });
});
