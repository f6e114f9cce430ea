// The data sets, as workspaces: each has calls to capture and queries with known answers. What is not there is left out.
//   questions    ships with the repository: made-up sessions and questions about them
//   code-memory  real tool calls; queries are commit subjects and users' prompts, answers the calls they came to
//   locomo       conversations of LoCoMo (Maharana et al. 2024), a turn a message; answers are the evidence turns
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const shipped = fileURLToPath(new URL('questions', import.meta.url));

/**
 * Every set by its name: a list of workspaces, or null when its data is not there.
 *   workspace  {name, calls, queries}, calls in the order they were made
 *   call       {id, session, ts, client, cwd, tool, isError, input, output}; a message: {..., role, output}
 *   query      {qid, kind, query, ts, relevant: {id: grade}, sessions}
 */
export const sets = {
  questions: () => labelled(shipped, /^sessions\.jsonl$/),
  'code-memory': (data) => labelled(`${data}/code-memory`, /^docs\..*\.jsonl\.gz$/),
  locomo: (data) => locomo(`${data}/locomo/locomo-dev.json`),
};

/** The calls of the folder's files, one workspace a repository, each with the queries about it. */
function labelled(folder, files) {
  if (!fs.existsSync(`${folder}/queries.jsonl`)) return null;
  const lines = fs
    .readdirSync(folder)
    .filter((file) => files.test(file))
    .flatMap((file) => readLines(`${folder}/${file}`));
  const queries = readLines(`${folder}/queries.jsonl`).filter(hasAnswer);
  return [...new Set(lines.map(({ repo }) => repo))].map((repo) => ({
    name: repo,
    calls: inOrder(lines.filter((line) => line.repo === repo).map(callOf)),
    queries: queries.filter((query) => query.repo === repo),
  }));
}

function callOf({ id, session, ts, agent, client, cwd, tool, is_error: isError, input, output }) {
  return { id, session, ts, client: client ?? agent, cwd, tool, isError: isError === true, input, output };
}

/** One workspace a conversation. The questions of category 5 have no answer in it. */
function locomo(file) {
  if (!fs.existsSync(file)) return null;
  return JSON.parse(fs.readFileSync(file, 'utf8')).map(({ sample_id: name, conversation, qa }) => {
    const calls = turnsOf(conversation);
    const sessionOf = new Map(calls.map(({ id, session }) => [id, session]));
    const asOf = new Date(Math.max(...calls.map(({ ts }) => Date.parse(ts))) + dayMs).toISOString();
    const queries = qa
      .map((one, at) => ({ one, qid: `${name}:${at}` }))
      .filter(({ one }) => one.category !== 5)
      .map(({ one, qid }) => {
        const turns = evidenceOf(one).filter((id) => sessionOf.has(id));
        const relevant = Object.fromEntries(turns.map((id) => [id, 1]));
        const sessions = [...new Set(turns.map((id) => sessionOf.get(id)))];
        return { qid, kind: 'question', query: one.question, ts: asOf, relevant, sessions };
      });
    return { name, calls, queries: queries.filter(hasAnswer) };
  });
}

/** Each turn as a message, half a minute after the one before; a shared picture is given by its caption. The first speaker is the user. */
function turnsOf(conversation) {
  const sessions = Object.keys(conversation).filter((key) => /^session_\d+$/.test(key));
  const turns = sessions.flatMap((session) => {
    const start = sessionTime(conversation[`${session}_date_time`]);
    return conversation[session].map((turn, at) => ({
      id: turn.dia_id,
      session,
      ts: new Date(start + at * 30_000).toISOString(),
      client: undefined,
      cwd: undefined,
      tool: '',
      role: turn.speaker === conversation.speaker_a ? 'user' : 'assistant',
      isError: false,
      input: {},
      output: `${turn.speaker}: ${turn.text}${turn.blip_caption ? ` [shares ${turn.blip_caption}]` : ''}`,
    }));
  });
  return inOrder(turns);
}

/** `1:56 pm on 8 May, 2023`, taken as UTC, in ms. */
function sessionTime(text) {
  const [, hour, minute, half, day] = /^(\d+):(\d+) ([ap])m on (.+)$/.exec(text);
  const hours = (Number(hour) % 12) + (half === 'p' ? 12 : 0);
  return Date.parse(`${day} UTC`) + (hours * 60 + Number(minute)) * 60_000;
}

/** Some entries name several turns: `D8:6; D9:17`. */
function evidenceOf({ evidence }) {
  return evidence.flatMap((entry) => entry.match(/D\d+:\d+/g) ?? []);
}

const dayMs = 86_400_000;

function hasAnswer({ relevant }) {
  return Object.values(relevant).some((grade) => grade > 0);
}

function inOrder(calls) {
  return calls.toSorted((a, b) => Date.parse(a.ts) - Date.parse(b.ts));
}

function readLines(file) {
  const bytes = fs.readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
