import { assistants } from './assistants.ts';
import { budget } from './budget.ts';
import type { Check } from './check.ts';
import { clock } from './clock.ts';
import { config } from './config.ts';
import { daemon } from './daemon.ts';
import { database } from './database.ts';
import { disk } from './disk.ts';
import { environment } from './environment.ts';
import { backups, logs, restoreFiles } from './left-files.ts';
import { lexicalIndex } from './lexical-index.ts';
import { models } from './models.ts';
import { modes } from './modes.ts';
import { node } from './node.ts';
import { goneProjects, namespaces } from './other-workspaces.ts';
import { overCapture } from './over-capture.ts';
import { paths } from './paths.ts';
import { scope } from './scope.ts';
import { severalDaemons } from './several-daemons.ts';
import { skippedRows } from './skipped-rows.ts';
import { spool } from './spool.ts';
import { staleFiles } from './stale-files.ts';
import { storedSecrets } from './stored-secrets.ts';
import { token } from './token.ts';
import { backlog, bridge, capture, retention } from './told.ts';
import { transcripts } from './transcripts.ts';
import { vectors } from './vectors.ts';

/**
 * All of them, in the order in which they are looked at and mended: first whether the folders are ours at all, then what a
 * start needs, then what is stored. docs/operations.md has the same table for people.
 */
export const checks: readonly Check[] = [
  modes,
  paths,
  node,
  disk,
  config,
  environment,
  token,
  scope,
  daemon,
  severalDaemons,
  staleFiles,
  database,
  spool,
  lexicalIndex,
  vectors,
  skippedRows,
  backlog,
  models,
  budget,
  capture,
  bridge,
  retention,
  overCapture,
  clock,
  assistants,
  transcripts,
  restoreFiles,
  backups,
  logs,
  goneProjects,
  namespaces,
  storedSecrets,
];
