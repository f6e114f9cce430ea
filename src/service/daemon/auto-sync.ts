import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { faultNumber, messageOf } from '#core/platform';
import type { StartContext } from './start-context.ts';

// A session pauses after every answer; several pauses are one sync.
const delayMs = 20_000;

/** With `sync.auto`, and after `memd sync init`: runs `memd sync` as a process of its own some time after a session paused or ended. */
export function autoSync({ workspace, config, env, logger }: StartContext) {
  let timer: NodeJS.Timeout | null = null;
  let isRunning = false;
  const run = (): void => {
    timer = null;
    isRunning = true;
    const { CLAUDE_PROJECT_DIR: _, ...rest } = env;
    const program = fileURLToPath(new URL('./memd.cjs', import.meta.url));
    const child = spawn(process.execPath, [program, 'sync'], {
      cwd: workspace.root,
      env: { ...rest, MEMD_NS: workspace.namespace },
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.unref();
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString('utf8')).slice(-1_000);
    });
    child.once('error', (error) => {
      isRunning = false;
      logger.warn({ error: messageOf(error) }, 'memd sync could not be started');
    });
    child.once('close', (code) => {
      isRunning = false;
      if (code === 0) logger.info('synced');
      else logger.warn({ error: said.trim() }, 'memd sync failed');
    });
  };
  return {
    soon: (): void => {
      if (!config['sync.auto'] || timer !== null || isRunning) return;
      if (!fs.existsSync(path.join(workspace.folder, 'sync', 'sync.json'))) return;
      timer = setTimeout(run, faultNumber('sync.auto.ms', delayMs)).unref();
    },
    /** A sync that runs goes on: it works with the next daemon too. */
    stop: (): void => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
