import fs from 'node:fs';
import path from 'node:path';
import { messageOf, orElse } from '../../core/platform/index.ts';
import {
  forgetPlace,
  recordedPlace,
  recordPlace,
  type Workspace,
  workspaceRoot,
} from '../../core/workspace/index.ts';
import type { Logger } from './logger.ts';

const placesMax = 2_000;

/** The folders from which hooks reach this daemon: the project's root, its worktrees, and folders in which assistants work. */
export class Places {
  readonly #workspace: Workspace;
  readonly #home: string;
  readonly #logger: Logger;
  readonly #known = new Set<string>();

  constructor(workspace: Workspace, home: string, logger: Logger) {
    this.#workspace = workspace;
    this.#home = home;
    this.#logger = logger;
    this.#record(workspace.root);
  }

  /** Whether a hook's folder belongs to this workspace; one that was removed meanwhile, if its place was noted. */
  isOurs(folder: string): boolean {
    if (!path.isAbsolute(folder)) return false;
    const { namespace, key } = this.#workspace;
    if (!fs.existsSync(folder)) return recordedPlace(this.#home, namespace, folder) === key;
    const isOwn = this.#rootOf(folder) === this.#workspace.root;
    if (!isOwn) this.#forget(folder);
    return isOwn;
  }

  /** A hook that found this daemon by itself came from `folder`: the next one from there finds it without Node. */
  learn(folder: string): void {
    if (this.#known.has(folder) || this.#known.size >= placesMax || !fs.existsSync(folder)) return;
    if (this.#rootOf(folder) !== this.#workspace.root) return;
    this.#known.add(folder);
    this.#record(fs.realpathSync.native(folder));
  }

  #rootOf(folder: string): string | null {
    // Not a folder, or not readable.
    return orElse(() => workspaceRoot({ cwd: folder, home: this.#home }), null);
  }

  #record(folder: string): void {
    try {
      recordPlace(this.#workspace, folder);
    } catch (error) {
      this.#logger.warn({ error: messageOf(error) }, 'hooks reach this daemon by Node only');
    }
  }

  #forget(folder: string): void {
    this.#known.delete(folder);
    forgetPlace(this.#workspace, folder);
  }
}
