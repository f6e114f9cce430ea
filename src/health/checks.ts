import type { Check } from './check.ts';
import { daemon } from './daemon.ts';
import { modes } from './modes.ts';
import { scope } from './scope.ts';
import { skippedRows } from './skipped-rows.ts';
import { staleFiles } from './stale-files.ts';
import { storedSecrets } from './stored-secrets.ts';
import { token } from './token.ts';

/** All of them, in the order in which they are looked at and mended: first whether the folders are ours at all. */
export const checks: readonly Check[] = [modes, token, scope, daemon, staleFiles, storedSecrets, skippedRows];
