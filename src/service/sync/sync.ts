import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '#core/config';
import { Failure, faultPoint, messageOf, takeLock } from '#core/platform';
import type { Environment, Workspace } from '#core/workspace';
import { notSent } from './address.ts';
import { Clone, type Entry, type Tip } from './clone.ts';
import { Git } from './git.ts';
import { type Ask, type Pulled, pullFrom } from './pull.ts';
import {
  authorOf,
  branchOf,
  cloneFolder,
  newDevice,
  readRecord,
  type SyncRecord,
  syncFolder,
  writeRecord,
} from './record.ts';
import { passphraseSeal, plainSeal, recipientsSeal, type Seal } from './seal.ts';
import { readPassphrase, readSecretFile } from './secret-file.ts';
import { withoutRemoved, writeWaiting } from './segments.ts';

export interface SyncOptions {
  readonly workspace: Workspace;
  readonly config: Config;
  readonly env: Environment;
  /** To the process that holds the memory. */
  readonly ask: Ask;
  /** Asks a person; null where nobody can answer. */
  readonly prompt: (() => Promise<string | null>) | null;
  readonly passphraseFile?: string | undefined;
}

export type Direction = 'both' | 'pull' | 'push';

export type Synced = Awaited<ReturnType<typeof sync>>;

export interface Pushed {
  /** Segments that the remote did not have. */
  readonly segments: number;
  readonly bytes: number;
  /** Segments that were written again without what was forgotten. */
  readonly rewritten: number;
}

const attemptsMax = 12;

/**
 * Pulls, then pushes. One at a time for a memory.
 * @throws Failure `sync_off`, `sync_running`, `sync_remote`, `sync_timeout`, `sync_passphrase`, `sync_secret_file`
 */
export async function sync(options: SyncOptions, direction: Direction, purge: boolean) {
  const record = mustHaveRecord(options.workspace);
  const lock = takeLock(path.join(syncFolder(options.workspace), 'lock'));
  if (lock === null)
    throw new Failure('sync_running', 'another `memd sync` of this project is running', {
      safe: 'nothing was changed by this one',
      repair: 'wait for it',
    });
  try {
    return await new Run(options, record).go(direction, purge);
  } catch (error) {
    const failure = { at: new Date().toISOString(), what: messageOf(error) };
    writeRecord(options.workspace, { ...mustHaveRecord(options.workspace), failure });
    throw error;
  } finally {
    lock.release();
  }
}

/** @throws Failure `sync_off` */
export function mustHaveRecord(workspace: Workspace): SyncRecord {
  const record = readRecord(workspace);
  if (record !== null) return record;
  throw new Failure('sync_off', 'sync is off for this project', {
    safe: 'nothing was sent',
    repair: 'run `memd sync init REMOTE`',
  });
}

class Run {
  readonly #options: SyncOptions;
  readonly #clone: Clone;
  #record: SyncRecord;
  #author = '';
  #seal: Seal = plainSeal;
  #own: Entry[] = [];
  #renamed = false;

  constructor(options: SyncOptions, record: SyncRecord) {
    this.#options = options;
    this.#record = record;
    const git = new Git(cloneFolder(options.workspace), options.env);
    this.#clone = new Clone(git, record.remote, branchOf(record));
  }

  async go(direction: Direction, purge: boolean) {
    const { workspace, config, env } = this.#options;
    const secret = await this.#secret();
    await this.#clone.ensure();
    this.#author = await authorOf(workspace, config['sync.author'], env);
    let tip = await this.#clone.fetch();
    const ownTip = await this.#clone.own();
    const own = ownTip?.entries ?? [];
    this.#seal = await this.#sealFor(secret, own, tip);
    await this.#adopt(own, tip);
    const { removals } = await this.#begin(ownTip === null);
    const pulled = direction === 'push' ? null : await this.#pull(tip);
    let pushed: Pushed | null = null;
    if (direction !== 'pull') {
      const rewritten = await this.#rewrite(pulled === null ? removals : (await this.#begin(false)).removals);
      this.#own = await writeWaiting(this.#writer(), this.#own);
      for (let attempt = 1; pushed === null; attempt += 1) {
        const sent = await this.#push(tip, purge);
        if (sent !== null) pushed = { ...sent, rewritten };
        else if (attempt >= attemptsMax) throw busy(this.#record.remote);
        else {
          // Devices that began together must not meet again.
          await pause(Math.random() * Math.min(2_000, 50 * 2 ** attempt));
          tip = await this.#clone.fetch();
          // What another device forgot in the meantime must not be pushed again.
          if (pulled !== null) add(pulled, await this.#pull(tip));
          await this.#rewrite((await this.#begin(false)).removals);
        }
      }
      if (this.#record.untidy || purge) await this.#clone.tidy();
    }
    const untidy = this.#record.untidy && pushed === null;
    const syncedAt = new Date().toISOString();
    this.#keep({
      syncedAt,
      pushedAt: pushed === null ? this.#record.pushedAt : syncedAt,
      failure: null,
      newer: pulled?.refused.newer ?? this.#record.newer,
      untidy,
      mode: this.#seal.mode,
      share: this.#self().share,
    });
    const encrypted = this.#seal.mode !== 'none';
    /** `renamed`: another device had the same id, so this one has a new one. */
    return { pulled, pushed, encrypted, renamed: this.#renamed };
  }

  /** The passphrase, or the text of the identity file. */
  async #secret(): Promise<string> {
    const { config, prompt, passphraseFile } = this.#options;
    if (!config['sync.encrypt']) return '';
    const { identityFile } = this.#record;
    if (config['sync.recipients'].length > 0)
      return identityFile === null ? '' : readSecretFile(identityFile, 'identity file');
    const file = passphraseFile ?? this.#record.passphraseFile;
    if (file !== null) return readPassphrase(file);
    const given = prompt === null ? null : await prompt();
    if (given) return given;
    throw new Failure('sync_passphrase', 'the memory leaves encrypted, and there is no passphrase', {
      safe: 'nothing was sent',
      repair:
        'run it on a terminal, or write the passphrase into a file of mode 0600 and add `--passphrase-file FILE`',
    });
  }

  async #sealFor(secret: string, own: readonly Entry[], tip: Tip | null): Promise<Seal> {
    const { config } = this.#options;
    if (!config['sync.encrypt']) return plainSeal;
    if (config['sync.recipients'].length > 0) return recipientsSeal(config['sync.recipients'], secret);
    const ownKeys = await this.#clone.keys(own);
    const names = new Set(ownKeys.map((key) => key.path));
    const others = (await this.#clone.keys(tip?.entries ?? [])).filter((key) => !names.has(key.path));
    const { seal, keys } = await passphraseSeal(secret, ownKeys, others);
    for (const key of keys) {
      if (names.has(key.path)) continue;
      const oid = await this.#clone.write(key.content);
      this.#own.push({ path: key.path, device: '', oid, bytes: key.content.length });
    }
    return seal;
  }

  /**
   * The segments of this device. Those at the remote that it does not know are of another device with the same id (a copied home), of a
   * lost clone, or forged: it keeps them, and goes on under a new id.
   */
  async #adopt(own: readonly Entry[], tip: Tip | null): Promise<void> {
    const { mode, share } = this.#record;
    // Otherwise all own segments are written again.
    const isSameMode =
      mode === null || (mode === this.#seal.mode && share === this.#options.config['sync.share']);
    this.#own.push(...own.filter(({ device }) => device === '' || isSameMode));
    const { devices } = this.#record;
    const names = new Set(own.map((entry) => entry.path));
    const strays = (tip?.entries ?? []).filter(
      ({ device, path: name }) => devices.includes(device) && !names.has(name),
    );
    const kept = strays.filter((entry) => entry.path.endsWith(this.#seal.ending));
    this.#own.push(...kept);
    // They may hold what was removed since.
    if (kept.length > 0) this.#keep({ removals: '' });
    if (strays.some(({ device }) => device === devices.at(-1))) {
      this.#renamed = true;
      this.#keep({ devices: [...devices, newDevice()] });
    }
    if (!isSameMode) await this.#begin(true);
  }

  /** `again`: this clone is new, so that everything is sent once more. */
  async #begin(again: boolean): Promise<{ removals: string }> {
    const self = this.#self();
    return (await this.#options.ask({ step: 'begin', self, again })) as { removals: string };
  }

  #self() {
    const { devices } = this.#record;
    return { devices, author: this.#author, share: this.#options.config['sync.share'] };
  }

  async #pull(tip: Tip | null): Promise<Pulled> {
    const { ask, config } = this.#options;
    const own = await this.#clone.own();
    const oids = new Set(own?.entries.map(({ oid }) => oid));
    const pulled = await pullFrom(
      { clone: this.#clone, seal: this.#seal, ask, author: this.#author, trust: config['sync.trust'] },
      tip,
      oids,
    );
    faultPoint('sync.pulled');
    return pulled;
  }

  /** Returns how many own segments were written again. */
  async #rewrite(removals: string): Promise<number> {
    if (this.#record.removals === removals) return 0;
    const before = new Set(this.#own.map(({ oid }) => oid));
    const entries = await withoutRemoved(this.#writer(), this.#own);
    if (entries !== null) {
      this.#own = await writeWaiting(this.#writer(), entries);
      this.#keep({ untidy: true });
    }
    this.#keep({ removals });
    return entries?.filter(({ oid }) => !before.has(oid)).length ?? 0;
  }

  /** Null when another device was faster. */
  async #push(tip: Tip | null, purge: boolean): Promise<Omit<Pushed, 'rewritten'> | null> {
    const there = new Map((tip?.entries ?? []).map((entry) => [entry.path, entry]));
    const { devices } = this.#record;
    const others = [...there.values()].filter(({ device }) => !devices.includes(device));
    const all = new Map([...others, ...this.#own].map((entry) => [entry.path, entry]));
    const added = this.#own.filter(
      (entry) => there.get(entry.path)?.oid !== entry.oid && entry.device !== '',
    );
    const sent = { segments: added.length, bytes: added.reduce((sum, { bytes }) => sum + bytes, 0) };
    const isEmpty = ![...all.values()].some(({ device }) => device !== '');
    if (tip === null && isEmpty) return sent;
    const tree = await this.#clone.tree([...all.values()]);
    if (tree === tip?.tree && !purge) return sent;
    const commit = await this.#clone.commit(tree, purge ? null : (tip?.commit ?? null));
    faultPoint('sync.push');
    const isTaken = await this.#clone.push(commit, purge ? (tip?.commit ?? null) : null);
    faultPoint('sync.pushed');
    return isTaken ? sent : null;
  }

  #writer() {
    return { clone: this.#clone, seal: this.#seal, ask: this.#options.ask, self: this.#self() };
  }

  #keep(change: Partial<SyncRecord>): void {
    this.#record = { ...this.#record, ...change };
    writeRecord(this.#options.workspace, this.#record);
  }
}

function add(sum: Pulled, more: Pulled): void {
  sum.segments += more.segments;
  sum.rows += more.rows;
  sum.removed += more.removed;
  sum.restoreFiles.push(...more.restoreFiles);
  for (const author of more.authors) if (!sum.authors.includes(author)) sum.authors.push(author);
}

function busy(remote: string): Failure {
  const what = `other devices pushed to ${remote} at the same time, ${attemptsMax} times`;
  return notSent(what, 'run `memd sync` again');
}
