import path from 'node:path';
import { orElse } from '#core/platform';
import type { Workspace } from '#core/workspace';
import { redactText } from '#redact/engine';
import { addressOf, wrong } from './address.ts';
import { newDevice, projectOf, readRecord, recordOf, type SyncRecord, writeRecord } from './record.ts';
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

/** Turns sync on for a project. Opens no connection. @throws Failure `sync_address`, `sync_secret_file` */
export async function initSync(workspace: Workspace, options: InitOptions) {
  const remote = addressOf(options.remote, options.cwd);
  const absolute = (file: string | undefined): string | null =>
    file === undefined ? null : path.resolve(options.cwd, file);
  const [passphraseFile, identityFile] = [absolute(options.passphraseFile), absolute(options.identityFile)];
  if (passphraseFile !== null) readPassphrase(passphraseFile);
  if (identityFile !== null) readSecretFile(identityFile, 'identity file');
  const found = await projectOf(workspace);
  const project = options.project ?? found.project;
  const isPlain = /^[a-z0-9][a-z0-9._-]{0,79}$/.test(project) && !/\.\.|\.lock$|\.$/.test(project);
  if (!isPlain || redactText(project).redactions > 0)
    throw wrong('this project name cannot be used', 'use small letters, digits and "-"');
  const before = formerRecord(workspace);
  const isSame = before !== null && before.remote === remote && before.project === project;
  const record = recordOf({
    ...(isSame ? before : { mode: before?.mode, share: before?.share }),
    ...{ remote, project, devices: before?.devices ?? [newDevice()] },
    passphraseFile: passphraseFile ?? before?.passphraseFile,
    identityFile: identityFile ?? before?.identityFile,
  });
  writeRecord(workspace, record);
  return { record, byHistory: options.project !== undefined || found.byHistory };
}

function formerRecord(workspace: Workspace): SyncRecord | null {
  // Damaged: written again, under a new device.
  return orElse(() => readRecord(workspace), null);
}
