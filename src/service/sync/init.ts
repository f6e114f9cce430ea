import fs from 'node:fs';
import path from 'node:path';
import { Failure } from '../../core/platform/index.ts';
import type { Workspace } from '../../core/workspace/index.ts';
import { newDevice, projectOf, readRecord, type SyncRecord, writeRecord } from './record.ts';
import { readPassphrase, readSecretFile } from './secret-file.ts';

export interface InitOptions {
  readonly remote: string;
  /** The folder that a relative path is meant from. */
  readonly cwd: string;
  /** The name of the project on the remote; by default that of git's history. */
  readonly project?: string | undefined;
  readonly passphraseFile?: string | undefined;
  readonly identityFile?: string | undefined;
}

export interface Initialised {
  readonly record: SyncRecord;
  readonly byHistory: boolean;
}

/** Turns sync on for a project. Opens no connection. @throws Failure `sync_address`, `sync_secret_file` */
export async function initSync(workspace: Workspace, options: InitOptions): Promise<Initialised> {
  const remote = addressOf(options.remote, options.cwd);
  const absolute = (file: string | undefined): string | null =>
    file === undefined ? null : path.resolve(options.cwd, file);
  const [passphraseFile, identityFile] = [absolute(options.passphraseFile), absolute(options.identityFile)];
  if (passphraseFile !== null) readPassphrase(passphraseFile);
  if (identityFile !== null) readSecretFile(identityFile, 'identity file');
  const found = await projectOf(workspace);
  const project = options.project ?? found.project;
  if (!/^[a-z0-9][a-z0-9._-]{0,79}$/.test(project) || /\.\.|\.lock$|\.$/.test(project))
    throw wrong(
      `the project name ${JSON.stringify(project)} cannot be used`,
      'use small letters, digits and "-"',
    );
  const before = formerRecord(workspace);
  const isSame = before !== null && before.remote === remote && before.project === project;
  const record: SyncRecord = {
    ...(isSame
      ? before
      : {
          removals: '',
          untidy: false,
          ...{ syncedAt: null, pushedAt: null, failure: null, newer: 0 },
          mode: before?.mode ?? null,
          share: before?.share ?? 'all',
        }),
    ...{ remote, project, devices: before?.devices ?? [newDevice()] },
    passphraseFile: passphraseFile ?? before?.passphraseFile ?? null,
    identityFile: identityFile ?? before?.identityFile ?? null,
  };
  writeRecord(workspace, record);
  return { record, byHistory: options.project !== undefined || found.byHistory };
}

function formerRecord(workspace: Workspace): SyncRecord | null {
  try {
    return readRecord(workspace);
  } catch {
    // Damaged: written again, under a new device.
    return null;
  }
}

/** A path becomes absolute: `memd sync` may run in another folder. @throws Failure `sync_address` */
export function addressOf(given: string, cwd: string): string {
  const remote = given.trim();
  if (remote === '' || remote.startsWith('-'))
    throw wrong(`${JSON.stringify(given)} is not an address`, useOne);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(remote)) {
    if (!/^(?:https?|ssh|git|file):\/\//i.test(remote))
      throw wrong(`memd does not use ${remote.split(':')[0]}`, useOne);
    if (/^https?:\/\/[^/]*:[^/]*@/i.test(remote))
      throw wrong('the address holds a password', "leave it out, and use git's credential helper");
    return remote;
  }
  if (/^[a-z0-9+.-]+::/i.test(remote)) throw wrong("memd uses no helper programs of git's", useOne);
  const isPath = /^[./~]/.test(remote) || fs.existsSync(path.resolve(cwd, remote)) || !remote.includes(':');
  return isPath ? path.resolve(cwd, remote) : remote;
}

const useOne = 'use a path, an ssh address such as `git@host:me/memory.git`, or an https address';

function wrong(what: string, repair: string): Failure {
  return new Failure('sync_address', what, { safe: 'nothing was changed', repair });
}
