import fs from 'node:fs';
import { backupsOf } from './config-file.ts';
import type { Plan } from './install.ts';

/** A text of an assistant's file as it was before memd wrote to it. */
export interface Backup {
  readonly file: string;
  /** Whether it is, to the letter, what the file holds once the plan is carried out: then nobody needs it. */
  readonly isNeedless: boolean;
}

/** The backups beside the files of a plan, carried out or not, the oldest of each file first. */
export function backupsNextTo({ changes }: Plan): Backup[] {
  return changes.flatMap(({ config, after }) =>
    backupsOf(config.file).map((file) => ({ file, isNeedless: fs.readFileSync(file, 'utf8') === after })),
  );
}
