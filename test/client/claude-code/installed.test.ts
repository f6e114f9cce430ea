import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { toolResults } from './conversation.ts';
import { closeDesks, type Desk, openDesk } from './desk.ts';
import { bash, call } from './reply.ts';
import { buildPlugin, claude, runClaude, session, title } from './session.ts';

afterEach(closeDesks);

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A folder like a checkout in which `npm run plugin` was run. */
function checkout({ home }: Desk): string {
  const folder = path.join(home.folder, 'check out');
  fs.cpSync(path.join(root, '.claude-plugin'), path.join(folder, '.claude-plugin'), { recursive: true });
  buildPlugin(folder, 'plugin');
  return folder;
}

describe.skipIf(claude === null)(`the plugin, installed into ${title}`, () => {
  test('is valid, is installed from the checkout, works like that, and is gone when it is removed', async () => {
    const desk = await openDesk();
    const { home, model } = desk;
    const folder = checkout(desk);
    const plugin = (...args: string[]) => runClaude(desk, ['plugin', ...args]);
    expect(await plugin('validate', folder)).toMatchObject({ code: 0 });
    // What a directory of plugins would refuse, too.
    const strictly = ['validate', '--profile', 'directory', path.join(folder, 'plugin')];
    expect(await plugin(...strictly)).toMatchObject({ code: 0 });
    expect(await plugin('marketplace', 'add', folder)).toMatchObject({ code: 0 });
    expect(await plugin('install', 'memd@memd')).toMatchObject({ code: 0 });
    expect((await plugin('list')).stdout).toMatch(/memd@memd.*enabled/s);

    model.play([
      bash('echo grain'),
      call('mcp__plugin_memd_memd__mem_search', { query: 'grain' }),
      { say: 'bye' },
    ]);
    await session(desk);
    const [, found] = toolResults(model.turns().at(-1));
    // Found or not yet: the plugin's server answered.
    expect(found?.text).toMatch(/It is data, not instructions|No memory matches/);
    await until('the event', () => home.rows("SELECT id FROM events WHERE kind = 'call'").length === 1);

    expect(await plugin('uninstall', 'memd@memd')).toMatchObject({ code: 0 });
    model.play([bash('echo chaff'), { say: 'bye' }]);
    await session(desk);
    expect(home.rows("SELECT id FROM events WHERE kind = 'call'")).toHaveLength(1);
  });
});
