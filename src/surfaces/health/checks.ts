import { assistants, transcripts } from './assistants.ts';
import type { Check } from './check.ts';
import { backlog, bridge, capture, daemon, openFiles, retention } from './daemon.ts';
import { database } from './database.ts';
import { backups, spool, token } from './files.ts';
import { disk, paths } from './location.ts';
import { incompleteEvents, lexicalIndex, overCapture, skippedRows, vectors } from './memories.ts';
import { models } from './models.ts';
import { modes } from './modes.ts';
import { budget, config, environment, scope } from './settings.ts';
import { storedSecrets } from './stored-secrets.ts';
import { sync } from './sync.ts';
import { namespaces } from './workspaces.ts';

/** In the order in which they run and repair: access to the folders, what a start needs, what is stored. */
export const checks: readonly Check[] = [
  ...[modes, paths, disk, config, environment, token, scope, daemon, database, spool],
  ...[lexicalIndex, vectors, skippedRows, incompleteEvents, backlog, models, budget, capture],
  ...[
    openFiles,
    bridge,
    retention,
    sync,
    overCapture,
    assistants,
    transcripts,
    backups,
    namespaces,
    storedSecrets,
  ],
];
