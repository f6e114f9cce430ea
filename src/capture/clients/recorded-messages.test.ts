import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { prepare } from '#capture/intake';
import type { ToolEvent } from '#core/event';
import { openStore } from '#memory/store';
import { adapt, readTranscript, type TranscriptItem } from './index.ts';

const fixtures =
  process.env.MEMD_FIXTURES ?? fileURLToPath(new URL('../../../../shared/fixtures', import.meta.url));
const recorded = path.join(fixtures, 'hook-payloads');
const clients = ['claude-code', 'codex', 'copilot-cli', 'gemini-cli', 'qwen-code'];

function fromHooks(client: string): ToolEvent[] {
  const folder = path.join(recorded, client);
  return fs.readdirSync(folder).flatMap((file) => {
    const payload = JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
    const adapted = adapt(payload, { client, receivedAt: new Date().toISOString(), cwd: null });
    const isMessage = adapted.kind === 'observation' && adapted.observation.message !== undefined;
    return isMessage ? [prepare(adapted.observation).event] : [];
  });
}

async function fromTranscripts(client: string): Promise<ToolEvent[]> {
  const folder = path.join(recorded, 'transcripts');
  const own = client.replace('copilot-cli', 'copilot');
  const files = fs.readdirSync(folder).filter((name) => name.startsWith(own) && name.endsWith('.jsonl'));
  const events: ToolEvent[] = [];
  const take = (item: TranscriptItem): void => {
    const isMessage = item.kind === 'observation' && item.observation.message !== undefined;
    if (isMessage) events.push(prepare(item.observation).event);
  };
  for (const file of files) await readTranscript(path.join(folder, file), take);
  return events;
}

test.skipIf(!fs.existsSync(recorded)).each(clients)(
  '%s: what its recorded hooks and transcripts both say is stored once, in either order',
  async (client) => {
    const read = await fromTranscripts(client);
    const sessions = new Set(read.map(({ sessionId }) => sessionId));
    const hooked = fromHooks(client).filter(({ sessionId }) => sessions.has(sessionId));
    expect(hooked.length).toBeGreaterThan(0);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-recorded-'));
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    for (const [at, sources] of [
      [hooked, read],
      [read, hooked],
    ].entries()) {
      const store = openStore(path.join(folder, `${at}.sqlite`));
      const inserted = sources.map((events) => store.events.insert(events).inserted);
      store.close();
      expect(inserted).toEqual(at === 0 ? [hooked.length, read.length - hooked.length] : [read.length, 0]);
    }
  },
);
