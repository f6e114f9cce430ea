import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeHomes, leftBehind } from '../support/home.ts';
import { end } from '../support/processes.ts';
import type { Ran } from '../support/run.ts';
import { until } from '../support/until.ts';
import {
  type Assistant,
  answered,
  asked,
  failingCommand,
  ownHook,
  succeedingCommand,
  written,
} from './assistant.ts';
import { clientPackage } from './support/package.ts';
import type { Ended } from './support/program.ts';
import { type Stored, Trial } from './trial.ts';

/**
 * One session of the real assistant with what `memd install` has written for it: each thing that it promises, a test. Answers the
 * assistant's program, null where it cannot be had and its tests are skipped.
 */
export function prove(assistant: Assistant): string | null {
  const { title, modules } = clientPackage(assistant.name);
  const program = modules === null ? null : programIn(modules, assistant, title);
  const { denied = false } = assistant.reports;
  describe.skipIf(program === null)(title, () => {
    let trial: Trial;
    let installed: Ran;
    let ended: Ended;
    let live: readonly Stored[];

    /** Ends what the assistant keeps for its next session; nothing else may be left. */
    const endKept = async (): Promise<void> => {
      const { leaves } = assistant;
      const kept = trial.left().filter(({ command }) => leaves?.test(command));
      expect(kept).toHaveLength(leaves === undefined ? 0 : 1);
      for (const { pid } of kept) await end(pid);
      await until('the end of what the session has started', () => trial.left().length === 0);
    };

    beforeAll(async () => {
      trial = await Trial.open(assistant, program ?? '');
      installed = await trial.install();
      await assistant.consent?.(trial);
      ended = await trial.session();
      const all = ended.code === 0 ? await trial.captured(denied ? 4 : 3) : trial.stored();
      live = all.slice(0, 3);
    }, sessionMs);

    afterAll(async () => {
      await trial?.close();
      await closeHomes();
      expect(leftBehind()).toEqual([]);
    });

    test('install succeeds, the session ends by itself and leaves no process', async () => {
      expect(installed).toMatchObject({ code: 0 });
      expect(ended, `${ended.stdout}\n${ended.stderr}`).toMatchObject({ code: 0 });
      expect(ended.stderr + ended.stdout).not.toMatch(/hook[^\n]*(?:failed|error|invalid)/i);
      await endKept();
    });

    test('the session has started the daemon, which lives on', () => {
      expect(trial.home.daemons()).toHaveLength(1);
    });

    test('its calls are captured under its name, in one session, in order', () => {
      const { shell, write, failed } = assistant.reports;
      expect(live.map(({ client, tool, isError }) => ({ client, tool, isError }))).toEqual([
        { client: assistant.name, tool: shell, isError: false },
        { client: assistant.name, tool: shell, isError: failed },
        { client: assistant.name, tool: write, isError: false },
      ]);
      expect(new Set(live.map(({ session }) => session)).size).toBe(1);
      expect(live[0]?.session).not.toBe('');
      const [succeeded, failing, wrote] = live;
      expect(succeeded?.payload).toContain(succeedingCommand);
      expect(succeeded?.payload).toContain('said-by-the-shell');
      expect(failing?.payload).toContain(failingCommand);
      expect(failing?.payload).toContain('No such file or directory');
      expect(wrote?.payload).toContain('made.txt');
      expect(wrote?.payload).toContain(written);
    });

    test('prompt and reply are stored once, and each is found by a search', async () => {
      const said = [
        expect.objectContaining({
          client: assistant.name,
          tool: 'Prompt',
          text: expect.stringContaining(asked),
        }),
        expect.objectContaining({ client: assistant.name, tool: 'Reply', text: answered }),
      ];
      await until('the reply', () => trial.said().length >= said.length);
      expect(trial.said()).toEqual(said);
      for (const [query, role, text] of [
        ['vermilion paint for the crane', 'user', 'Paint the harbour crane'],
        ['why two coats of oxide', 'assistant', 'two coats of oxide'],
      ] as const) {
        const hits = async () => (await trial.found(query)).filter((hit) => hit.role === role);
        // What was stored a moment ago may wait for its turn in the index.
        await expect
          .poll(hits, { timeout: 20_000 })
          .toEqual([expect.objectContaining({ text: expect.stringContaining(text) })]);
      }
    });

    test('a call is known by the id of the assistant where it gives one', () => {
      const named = live.map(({ toolUseId }) => toolUseId);
      expect(named).toEqual(assistant.reports.callIds ? ['call_1', 'call_2', 'call_3'] : [null, null, null]);
    });

    test('a write that is denied does not happen, and the model reads why', () => {
      const { project } = trial.home;
      expect(fs.readFileSync(path.join(project, 'made.txt'), 'utf8').trim()).toBe(written);
      expect(fs.readdirSync(path.join(project, 'private'))).toEqual([]);
      expect(trial.model.results[2]).not.toContain('may not be written');
      expect(trial.model.results[3]).toMatch(/private\/no\.txt (?:\(.*\) )?may not be written: /);
      expect(trial.model.results[3]).toContain('in the deny rules of .memd/scope.json');
    });

    test('a search of the memory reaches the model, and is no memory itself', () => {
      expect(trial.model.results).toHaveLength(5);
      expect(trial.model.results[4]).toContain('make lighthouse');
      expect(live.some(({ tool }) => tool.includes('mem_search'))).toBe(false);
    });

    test.runIf(assistant.reports.context)('the model gets the memory at the start', () => {
      expect(JSON.stringify(trial.model.turns[0])).toContain('make lighthouse');
    });

    test.runIf(assistant.reports.end)('its end is reported, and its digest is written then', async () => {
      const sql = 'SELECT text FROM digests WHERE session_id = ?';
      const [digest] = await until('the digest of the session', () => {
        const rows = trial.home.rows(sql, live[0]?.session ?? '');
        return rows.length > 0 ? rows : null;
      });
      expect(String(digest?.text)).toContain('made.txt');
    });

    test.runIf(hasOwnHook(assistant))('a hook that was there before runs as before', () => {
      expect(fs.existsSync(path.join(trial.home.home, 'own-hook-ran'))).toBe(true);
    });

    test.runIf(assistant.reports.transcript)(
      'backfill finds the live captures in its transcript',
      async () => {
        const said = trial.said();
        const first = await trial.backfill();
        // What has been denied is in the transcript alone.
        const counts = denied ? { duplicates: 6, captured: 0 } : { duplicates: 5, captured: 1 };
        expect(first).toMatchObject({ scanned: 1, ...counts, malformed: 0, unreadable: [] });
        expect(trial.said()).toEqual(said.map((one) => ({ ...one, hasTurn: 1 })));
        const now = trial.stored();
        expect(now.map(withoutId)).toEqual([
          // A failure that no hook reports is learnt from the transcript.
          ...live.map(withoutId).map((event, at) => (at === 1 ? failed(event) : event)),
          expect.objectContaining({ isError: true }),
        ]);
        expect(now[3]?.payload).toMatch(/private\/no\.txt (?:\(.*\) )?may not be written/);
        for (const [index, { toolUseId }] of now.entries()) expect(toolUseId).toMatch(`call_${index + 1}`);
        const again = await trial.backfill();
        expect(again).toMatchObject({ scanned: 1, duplicates: 6, captured: 0 });
        expect(trial.stored()).toEqual(now);
      },
    );

    test.skipIf(assistant.reports.error === false)(
      'an API error that ends a session is its end, and no reply',
      async () => {
        const replies = trial.said().length;
        trial.model.refusal = 'the harbour is shut';
        await trial.session();
        await endKept();
        expect(await trial.backfill()).toMatchObject({ malformed: 0, unreadable: [] });
        expect(trial.errors()).toEqual([expect.stringMatching(/^API error: .*the harbour is shut/)]);
        // The prompt and the error.
        expect(trial.said()).toHaveLength(replies + 2);
        expect((await trial.home.mem(['handoff', 'last'])).stdout).toMatch(/ended by an API error: .*shut/);
      },
      sessionMs,
    );

    test('uninstall gives back the bytes that were there before', async () => {
      const before = trial.touched();
      expect(Object.values(before)).not.toEqual([]);
      expect(Object.values(before).some((text) => text !== null)).toBe(assistant.addsOnly !== true);
      expect(await trial.uninstall()).toMatchObject({ code: 0 });
      const { withoutItsOwn = (text) => text } = assistant;
      for (const [name, text] of Object.entries(trial.now())) {
        const [former = '', isBackup] = name.split('.memd-backup-');
        // A backup stays only where the assistant has changed the file meanwhile.
        if (isBackup !== undefined && text !== null) expect(text, name).toBe(before[former]);
        if (isBackup === undefined)
          expect(text === null ? null : withoutItsOwn(text), name).toBe(before[name]);
      }
    });
  });
  return program;
}

/** The same call, but for its id: an assistant whose hooks give none has it from the transcript. */
function failed(event: Stored): Stored {
  return { ...event, isError: true, payload: event.payload.replace('"isError":false', '"isError":true') };
}

function withoutId(event: Stored): Stored {
  const payload = event.payload.replace(/"toolUseId":(?:null|"[^"]*"),/, '');
  return { ...event, toolUseId: null, payload };
}

/** The start of a large program in a HOME without caches, on a busy machine. */
const sessionMs = 240_000;

function programIn(modules: string, assistant: Assistant, title: string): string | null {
  const program = assistant.program(modules);
  if (program !== null && fs.existsSync(program)) return program;
  console.error(`skipped: the package of ${title} has no program for ${process.platform}-${process.arch}`);
  return null;
}

function hasOwnHook({ configuration }: Assistant): boolean {
  return Object.values(configuration('')).some((text) => text.includes(ownHook));
}
