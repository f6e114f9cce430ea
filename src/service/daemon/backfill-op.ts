import fs from 'node:fs';
import path from 'node:path';
import { clientVariablesOf } from '../../assistants/table/index.ts';
import { pathCharsMax } from '../../core/limits.ts';
import { type RequestContext, refusal } from '../../core/rpc/index.ts';
import { backfill, type Source } from '../backfill/index.ts';
import type { Engine } from '../engine/index.ts';
import type { StartContext } from './start-context.ts';

export interface BackfillOpOptions extends Pick<StartContext, 'workspace' | 'home' | 'env' | 'config'> {
  readonly engine: Engine;
  readonly script: URL;
}

export interface BackfillRequest {
  readonly dir?: string | undefined;
  /** The client's environment, read for the assistants' own variables; by default the daemon's. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly dryRun: boolean;
  readonly progress: boolean;
}

export type RunBackfill = (request: BackfillRequest, context: RequestContext) => Promise<object>;

/** The `backfill` op: one run at a time. It throws `busy` while another one runs, `bad_request` for a folder that does not exist. */
export function backfillOp({ engine, script, config, ...of }: BackfillOpOptions): RunBackfill {
  let isRunning = false;
  return async ({ dryRun, progress: isWanted, ...request }, { interim, signal }) => {
    const source = sourceOf(request, of);
    if (isRunning) throw refusal('busy', 'another backfill is running. Wait for its end.');
    isRunning = true;
    const progress = (done: object): void => {
      if (isWanted) interim({ progress: { ...done } });
    };
    const messages = config['capture.messages'];
    try {
      return await backfill({ source, signal, script, dryRun, messages, engine: engine.connect(), progress });
    } finally {
      isRunning = false;
    }
  };
}

function sourceOf(
  { dir, env: asked }: Pick<BackfillRequest, 'dir' | 'env'>,
  { workspace, home, env }: Pick<BackfillOpOptions, 'workspace' | 'home' | 'env'>,
): Source {
  if (dir === undefined) return { root: workspace.root, home, env: clientVariablesOf(asked ?? env) };
  if (!path.isAbsolute(dir)) throw refusal('bad_request', 'backfill: dir must be an absolute path');
  if (!fs.existsSync(dir))
    throw refusal('bad_request', `backfill: ${dir.slice(0, pathCharsMax)} does not exist`);
  return { from: dir };
}
