import fs from 'node:fs';
import path from 'node:path';
import { unlessCode } from '#core/platform';
import { scopeFile } from './scope-context.ts';

/** A first scope denies secrets and the internal files of git. */
const rules = {
  deny: ['**/.env', '**/.env.*', '**/*.pem', '**/*.key', '**/id_rsa*', '**/id_ed25519*', '.git/**'],
};

/**
 * Writes a first scope file for the project at `root`; an existing one is not changed.
 * @returns its path and whether it was written
 */
export function writeFirstScope(root: string): { readonly file: string; readonly isWritten: boolean } {
  const file = scopeFile(root);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const write = (): true => {
    fs.writeFileSync(file, `${JSON.stringify(rules, null, 2)}\n`, { flag: 'wx' });
    return true;
  };
  return { file, isWritten: unlessCode(['EEXIST'], write, false) };
}
