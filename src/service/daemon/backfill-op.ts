import fs from 'node:fs';
import path from 'node:path';
import { clientVariablesOf } from '#assistants/table';
import { pathCharsMax } from '#core/limits';
import { type RequestContext, refusal } from '#core/rpc';
import { backfill, type Source } from '#service/backfill';
import type { EngineContext } from './start-context.ts';

type Options = Pick<EngineContext, 'workspace' | 'home' | 'env' | 'config' | 'engine'> & {
  readonly script: URL;
};

interface Request {
  readonly dir?: string | undefined;
  /** The client's environment, read for the assistants' own variables; by default the daemon's. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly dryRun: boolean;
  readonly progress: boolean;
}

export type RunBackfill = ReturnType<typeof backfillOp>;

/** The `backfill` op: one run at a time. It throws `busy` while another one runs, `bad_request` for a folder that does not exist. */
export function backfillOp({ engine, script, config, ...of }: Options) {
  let isRunning = false;
  return async ({ dryRun, progress: isWanted, ...request }: Request, { interim, signal }: RequestContext) => {
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
  { dir, env: asked }: Pick<Request, 'dir' | 'env'>,
  { workspace, home, env }: Pick<Options, 'workspace' | 'home' | 'env'>,
): Source {
  if (dir === undefined) return { root: workspace.root, home, env: clientVariablesOf(asked ?? env) };
  if (!path.isAbsolute(dir)) throw refusal('bad_request', 'backfill: dir must be an absolute path');
  if (!fs.existsSync(dir))
    throw refusal('bad_request', `backfill: ${dir.slice(0, pathCharsMax)} does not exist`);
  return { from: dir };
}
