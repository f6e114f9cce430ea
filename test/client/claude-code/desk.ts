import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { JsonObject } from '#core/event';
import { closeHomes, Home } from '../../support/home.ts';
import { until } from '../../support/until.ts';
import { endProcessesOf, processesOf } from '../support/processes.ts';
import { ScriptedModel } from './model.ts';
import { buildPlugin } from './session.ts';

export interface Desk {
  readonly home: Home;
  readonly model: ScriptedModel;
}

const opened: Desk[] = [];
let folder: string | null = null;
let plugin: string | null = null;

/** The plugin of this test file, built when it is first asked for. */
export function builtPlugin(): string {
  folder ??= fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-plugin-')));
  plugin ??= buildPlugin(folder);
  return plugin;
}

/** For `afterAll`. */
export function removePlugin(): void {
  if (folder !== null) fs.rmSync(folder, { recursive: true, force: true });
}

/**
 * A HOME with a project, and a model. Summaries are made by the builtin summariser and only when a test drains; a capture has
 * as long as the plugin's own limit allows, so that a busy machine fails none.
 */
export async function openDesk(config: JsonObject | null = {}): Promise<Desk> {
  const quiet = {
    'drain.fallback': 'builtin',
    'drain.tickMs': 600_000,
    captureObservationBudgetMs: 4_000,
  };
  const home = Home.open({ config: config === null ? null : { ...quiet, ...config } });
  const desk = { home, model: await ScriptedModel.open() };
  opened.push(desk);
  return desk;
}

/** For `afterEach`: only daemons may be alive, and they end here. */
export async function closeDesks(): Promise<void> {
  for (const { home, model } of opened.splice(0)) {
    await model.close();
    try {
      await until('the end of all but the daemons', () => strangers(home).length === 0);
    } catch (error) {
      throw new Error(`left behind: ${strangers(home).join('\n')}`, { cause: error });
    } finally {
      await endProcessesOf(home.folder);
    }
  }
  await closeHomes();
}

function strangers(home: Home): string[] {
  const daemons = home.daemons();
  return processesOf(home.folder)
    .filter(({ pid }) => !daemons.includes(pid))
    .map(({ pid, command }) => `${pid} ${command.slice(0, 200)}`);
}

/** The ids of the memories of calls, oldest first. */
export function summariesOfCalls(home: Home): number[] {
  const sql =
    "SELECT s.id FROM summaries s JOIN events e ON e.id = s.event_id WHERE e.kind = 'call' ORDER BY e.ts";
  return home.rows(sql).map(({ id }) => Number(id));
}
