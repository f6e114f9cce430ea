import type { Loaded } from '#core/config';
import type { Environment, Workspace } from '#core/workspace';
import type { Engine } from '#service/engine';
import type { Logger } from './logger.ts';
import type { Shutdown } from './shutdown.ts';

/** What `runDaemon` is given. */
export interface DaemonOptions {
  readonly workspace: Workspace;
  readonly env: Environment;
  readonly home: string;
  /** Called, in words for the user, when the start waits for something. */
  readonly waiting?: (message: string) => void;
  /** The bundles of the threads and of the program that checks the database, and the folder of the page's files. */
  readonly scripts: Readonly<Record<'engine' | 'check' | 'backfill' | 'capture' | 'reader' | 'page', URL>>;
}

/** What every part of a starting daemon needs. */
export interface StartContext extends DaemonOptions, Loaded {
  readonly logger: Logger;
  readonly shutdown: Shutdown;
}

/** The same for parts that need the database. */
export interface EngineContext extends StartContext {
  readonly engine: Engine;
}
