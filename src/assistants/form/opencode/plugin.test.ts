import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { pluginText } from './plugin.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

interface Plugin {
  readonly 'experimental.chat.system.transform': (
    input: { readonly sessionID?: string },
    output: { readonly system: string[] },
  ) => Promise<void>;
  readonly event: (input: { readonly event: object }) => Promise<void>;
}

/** The plugin with one hook at a session's start, which runs that Node script. */
async function pluginWith(script: string): Promise<Plugin> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-plugin-'));
  folders.push(folder);
  const words = [process.execPath, '-e', script];
  const hook = { program: 'session-start', event: 'start', words, timeoutMs: 20_000 } as const;
  const file = path.join(folder, 'memd.mjs');
  fs.writeFileSync(file, pluginText('opencode', [hook]));
  const { Memd }: { Memd: (context: { directory: string }) => Promise<Plugin> } = await import(
    pathToFileURL(file).href
  );
  return Memd({ directory: folder });
}

async function systemOf(plugin: Plugin, sessionID: string): Promise<string[]> {
  const system = ['theirs'];
  await plugin['experimental.chat.system.transform']({ sessionID }, { system });
  return system;
}

const telling = `
  const { session_id, source } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
  const additionalContext = 'for ' + session_id + ' at ' + process.pid + ' after ' + source;
  console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext } }));`;

test('all requests of a session get the same text, another session gets its own', async () => {
  const plugin = await pluginWith(telling);
  const [theirs, first] = await systemOf(plugin, 'ses_1');
  expect(theirs).toBe('theirs');
  expect(first).toMatch(/^for ses_1 at \d+ after startup$/);
  expect(await systemOf(plugin, 'ses_1')).toEqual(['theirs', first]);
  expect((await systemOf(plugin, 'ses_2'))[1]).toMatch(/^for ses_2 /);
});

test('a session that was compacted gets the text for that', async () => {
  const plugin = await pluginWith(telling);
  await systemOf(plugin, 'ses_1');
  await plugin.event({ event: { type: 'session.compacted', properties: { sessionID: 'ses_1' } } });
  expect((await systemOf(plugin, 'ses_1'))[1]).toMatch(/^for ses_1 at \d+ after compact$/);
});

test.each([
  ['says nothing', ''],
  ['fails', 'process.exit(3)'],
  ['has no text', 'console.log(JSON.stringify({ systemMessage: "memd: x" }))'],
])('a hook that %s adds nothing', async (_, script) => {
  expect(await systemOf(await pluginWith(script), 'ses_1')).toEqual(['theirs']);
});
