import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventAt, summarised } from '../../../test/support/store/store.ts';
import { subjectKey, subjectsOf } from '../../calls/subjects/index.ts';
import { readCall } from '../../calls/call/index.ts';
import { openStore, type Store } from '../../memory/store/index.ts';
import { fileHistory, sessionDiff, stepDetail, stepsOf } from './index.ts';

let folder = '';
let store: Store;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-sessions-'));
  store = openStore(path.join(folder, 'db.sqlite'));
});
afterEach(() => {
  store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});
