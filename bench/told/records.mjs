// A memory's events in the order of time, with what the rules of bench/told/rules.mjs compare.
import { loadRooms } from '../rooms.mjs';

/** The rooms that read calls and messages. */
export function loadReaders(folder) {
  return loadRooms(
    folder,
    `export { commandText, familyOf, parsePayload, readCall } from './src/reading/call/index.ts';
    export { commandRun, complaintsIn } from './src/reading/checks/index.ts';
    export { changesIn } from './src/reading/edits/index.ts';
    export { onlyLooks } from './src/reading/shell/index.ts';
    export { subjectsOf } from './src/reading/subjects/index.ts';
    export { openStore } from './src/memory/store/index.ts';
    export { decisionsIn, onlyAnswers } from './src/reading/talk/index.ts';
    export { SessionAccounts } from './src/memory/account/index.ts';
    export { gather, printed } from './src/query/outline/index.ts';
    export { Recall } from './src/query/recall/index.ts';
    export { Receipts } from './src/query/receipts/index.ts';`,
  );
}

const rows = `SELECT s.id, e.ts, e.session_id, e.kind, e.role, e.payload_json, s.text AS summary
  FROM events e JOIN summaries s ON s.event_id = e.id ORDER BY e.ts, e.seq`;

/** Every event of a store. `session` of a sub-agent is that of its parent: it knows what the parent was told. */
export function recordsOf(readers, store) {
  return store.connection.all(rows).flatMap((row) => {
    const parsed = readers.parsePayload(row.payload_json);
    if (!('payload' in parsed)) return [];
    const { payload } = parsed;
    const session = payload.parent ?? row.session_id;
    const record = { id: row.id, ts: row.ts, session, own: row.session_id, summary: row.summary };
    return [
      { ...record, ...(row.kind === 'message' ? said(readers, row, payload) : done(readers, payload)) },
    ];
  });
}

function said(readers, { role }, payload) {
  const text = String(payload.output);
  const isTyped = role === 'user' && payload.tool === 'Prompt' && !injected.test(text.trim());
  return {
    what: isTyped && !readers.onlyAnswers(text) ? 'prompt' : 'message',
    ...{ role, text, decisions: isTyped ? readers.decisionsIn(text, 'user') : [] },
  };
}

const injected = /^<|^This session is being continued|^Caveat:|^\[Request interrupted/;

function done(readers, payload) {
  const call = readers.readCall(payload);
  const { failed, refused, cancelled, stopped, exitCode, text } = call.result;
  const ended = { failed, refused, cancelled, stopped, exitCode, output: text, tool: call.tool };
  const family = readers.familyOf(call);
  if (family === 'edit')
    return { what: 'edit', ...ended, payload, files: readers.changesIn(call).map(({ path }) => path) };
  const task = [call.input?.prompt, call.input?.message].find((one) => typeof one === 'string');
  if (family === 'agent' && task !== undefined)
    return { what: 'spawn', ...ended, text: task, decisions: [], agent: call.input.subagent_type };
  if (family !== 'command') return { what: 'call', ...ended };
  const { programs } = readers.commandRun(call).shell;
  return {
    ...{ what: 'command', ...ended, payload, command: readers.commandText(call), programs },
    ...{ looks: readers.onlyLooks(programs), complaints: readers.complaintsIn(text) },
    badCheck: readers.subjectsOf(call).some(({ kind, outcome }) => kind === 'check' && outcome === 'failed'),
  };
}
