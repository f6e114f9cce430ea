import fs from 'node:fs';
import path from 'node:path';
import { lstatIfThere, readIfThere } from '#core/platform';
import {
  baseIn,
  isKey,
  isNamespaceName,
  layoutOf,
  rootRecordIn,
  type Workspace,
  workspacesFolder,
} from './paths.ts';

/** Namespaces that are real folders below `~/.memd`, in the order of their names. */
export function everyNamespace(home: string): string[] {
  return foldersIn(baseIn(home)).filter(isNamespaceName);
}

/**
 * Every workspace that has a folder below `~/.memd`, in every namespace. Links are not followed. `root` is empty where no daemon
 * has recorded it.
 */
export function everyWorkspace(home: string): Workspace[] {
  return everyNamespace(home).flatMap((namespace) => {
    const folder = workspacesFolder(home, namespace);
    return foldersIn(folder)
      .filter(isKey)
      .map((key) => layoutOf(home, namespace, rootIn(path.join(folder, key)), key));
  });
}

function rootIn(folder: string): string {
  const record = rootRecordIn(folder);
  return lstatIfThere(record)?.isFile() === true ? (readIfThere(record) ?? '') : '';
}

function foldersIn(folder: string): string[] {
  if (lstatIfThere(folder)?.isDirectory() !== true) return [];
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
