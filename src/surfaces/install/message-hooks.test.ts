import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { assistants } from './assistants.ts';
import { put } from './change.ts';
import { noOptions } from './install.ts';
import type { Part } from './part.ts';
import { assistantState } from './state.ts';

const programs = { node: process.execPath, dist: '/opt/memd/dist' };

/** A part as a memd without messages wrote it. */
function early(part: Part): Part {
  if (part.kind === 'hooks') return { ...part, hooks: part.hooks.filter(({ isMessage }) => !isMessage) };
  if (part.kind !== 'own-file') return part;
  return { ...part, text: part.text.replace(/^const said = \[[\s\S]*?^\];\n/m, '') };
}

test.each(assistants)('$name: an installation without the hooks for messages is noticed', (assistant) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-message-hooks-'));
  onTestFinished(() => fs.rmSync(home, { recursive: true }));
  const env = { HOME: home, PATH: '' };
  const parts = assistant.parts({ env, programs, options: noOptions });
  const write = (each: (part: Part) => Part): void => {
    for (const part of parts) {
      fs.mkdirSync(path.dirname(part.file), { recursive: true });
      const before = fs.existsSync(part.file) ? fs.readFileSync(part.file, 'utf8') : null;
      fs.writeFileSync(part.file, put(each(part), before) ?? '');
    }
  };
  const state = () => assistantState(assistant, env, programs);
  expect(state()).toMatchObject({ state: 'not-installed', lacksMessages: false });
  write(early);
  expect(state()).toMatchObject({ state: 'outdated', lacksMessages: true });
  write((part) => part);
  expect(state()).toMatchObject({ state: 'installed', lacksMessages: false });
});
