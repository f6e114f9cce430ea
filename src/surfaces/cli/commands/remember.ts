import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { sessionIn, shellOwner } from '#assistants/table';
import { spool } from '#capture/intake';
import { captureSettings } from '#core/config';
import { type JsonObject, jsonText, noteTool, stringAt } from '#core/event';
import { Failure } from '#core/platform';
import { ensureFolders, type Workspace } from '#core/workspace';
import { ask, askAwake, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command, Misused } from '../program.ts';
import { withProgress } from '../progress.ts';
import { read } from '../replies.ts';

const drainedMax = 64;

interface Options {
  readonly file?: readonly string[];
  readonly pin?: boolean;
  readonly json?: boolean;
  /** What the note is said at, as a rule. */
  readonly rule?: JsonObject;
}

export const rememberCommand: AddCommand = (program, io) => {
  command(program, 'remember', 'store a note of yours, as a memory of this project', [
    'mem remember "we deploy on Tuesdays, after the backup"',
    'mem remember --pin "ask before you change the schema" --file src/schema.sql',
  ])
    .argument('<TEXT...>', 'what to remember')
    .option(
      '--file <PATH>',
      'a file that the note is about (repeatable)',
      (file, all?: readonly string[]) => [...(all ?? []), file],
    )
    .option('--pin', 'keep it in view: in each outline, without decay')
    .action((words: readonly string[], options: Options) => remember(words.join(' '), options, io));
};

export async function remember(
  text: string,
  { file: files = [], pin = false, json, rule }: Options,
  io: Io,
): Promise<void> {
  if (text.trim() === '')
    throw new Misused('there is nothing to remember. Write the note after `mem remember`.');
  if (files.some((file) => file.trim() === '')) throw new Misused('`--file` names no file.');
  const workspace = workspaceOf(io);
  // In an assistant's shell it is the assistant who notes, and its notes are not pinned.
  const client = shellOwner(io.env);
  const note: JsonObject = {
    ...{ kind: 'message', tool: noteTool, text, messageId: randomUUID(), ts: new Date().toISOString() },
    ...(client === null
      ? { role: 'user', pin, ...(rule && { rule }) }
      : { role: 'assistant', client, sessionId: sessionIn(io.env, client) ?? '' }),
    // An address stays as it is.
    files: files.map((one) =>
      /^[a-z][a-z0-9+.-]+:\/\//i.test(one) ? one : path.relative(workspace.root, path.resolve(io.cwd, one)),
    ),
  };
  const eventId = await captured(workspace, note, io);
  const id = eventId === null ? null : await memoryOf(workspace, eventId, io);
  if (json) return io.out(jsonText({ ok: true, id, eventId, queued: eventId === null }));
  if (eventId === null) return io.out('Noted. No daemon answers: `memd restart` stores it.');
  const then = rule === undefined ? 'Search finds it' : 'Assistants get it';
  io.out(id === null ? `Noted. ${then} once it is summarised (\`memd drain\`).` : `Noted as #${id}.`);
  if (client !== null && pin)
    io.note(`memd: not pinned, because ${client} runs this. Pin it yourself: \`mem pin\``);
}

/** Its event; null if no daemon runs and it waits in the spool. @throws Failure if it is not kept */
async function captured(workspace: Workspace, note: JsonObject, io: Io): Promise<string | null> {
  let reply: JsonObject;
  try {
    reply = await askAwake(workspace, io, { op: 'capture', ...note });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'unreachable') throw error;
    keepAside(workspace, note, io);
    return null;
  }
  const id = stringAt(reply, 'id');
  if (id !== undefined) return id;
  throw new Failure(
    'not_kept',
    `the note was not stored: ${stringAt(reply, 'ignored') ?? 'nothing is left of it'}`,
  );
}

/** @throws Failure if there is no room for it, or it may not be kept */
function keepAside(workspace: Workspace, note: JsonObject, { cwd }: Io): void {
  const { spool: isKept, messages } = captureSettings(workspace.config);
  ensureFolders(workspace);
  const receivedAt = new Date().toISOString();
  const outcome = isKept ? spool(workspace.spool, note, { receivedAt, cwd, messages }) : 'off';
  if (outcome === 'spooled') return;
  throw new Failure('not_kept', `the note was not stored: ${refusals[outcome]}`, {
    repair: 'run `memd start`',
  });
}

const refusals = {
  off: 'the daemon is not running, and captureSpool is off',
  dropped: 'the daemon is not running, and the spool is full',
  ignored: 'nothing is left of it, or capture.messages is false',
} as const;

/** Summarises it now, so that the next search finds it; null if that has to wait. */
async function memoryOf(workspace: Workspace, eventId: string, io: Io): Promise<number | null> {
  try {
    await withProgress(io, 'summarising', () => ask(workspace, { op: 'drain', limit: drainedMax }));
    const { summaries } = read('recent', await ask(workspace, { op: 'recent', tool: noteTool, limit: 10 }));
    return summaries.find((one) => one.eventId === eventId)?.id ?? null;
  } catch (error) {
    // It is stored already.
    if (error instanceof Failure) return null;
    throw error;
  }
}
