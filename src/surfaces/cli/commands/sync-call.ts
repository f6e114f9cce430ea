import type { Config } from '#core/config';
import type { JsonObject } from '#core/event';
import { removalTimeoutMs } from '#core/limits';
import type { Workspace } from '#core/workspace';
import type { SyncStep } from '#memory/replicate';
import { ask } from '../daemon-link.ts';
import type { Io } from '../io.ts';

export interface SyncOptions {
  readonly json?: boolean;
  readonly dryRun?: boolean;
  readonly purge?: boolean;
  readonly project?: string;
  readonly passphraseFile?: string;
  readonly identityFile?: string;
  readonly yes?: boolean;
  readonly undo?: boolean;
}

/** What every action is given. */
export interface SyncCall {
  readonly workspace: Workspace;
  readonly config: Config;
  readonly options: SyncOptions;
  readonly io: Io;
}

/** One step of the daemon, which has the store. */
export function takeStep(workspace: Workspace, step: SyncStep): Promise<JsonObject> {
  return ask(workspace, { op: 'sync', request: { ...step } }, { timeoutMs: removalTimeoutMs });
}
