// Whether the state of an edit is what git says: recorded edits with known fates, asked about in a clone of their repository at two
// moments each, over the socket of a real daemon; and what the states cost a search.
//   npm run bench:stands -- [--dist FOLDER] [--wrong N] [--out FILE] [--quick]
//     --dist   the build to measure (dist/, built when it is out of date)
//     --wrong  prints so many wrong answers (10)
//     --out    writes every answer, one JSON object a line
//     --quick  without the repository of 100,000 files
// MEMD_DATA (default ../shared/data) holds talk/stands.jsonl, repos and transcripts.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync, constants as zlib } from 'node:zlib';
import { ensureBuilt, ensureInstalled, root } from '../scripts/ready.mjs';
import { openLine, quantile, temporaryPlace } from './place.mjs';
import { configure } from './recorded.mjs';

const { values: flags } = parseArgs({
  options: {
    dist: { type: 'string' },
    wrong: { type: 'string', default: '10' },
    out: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});
const askedAgainMax = 10;
const data = path.resolve(process.env.MEMD_DATA ?? `${root}../shared/data`);
const labels = `${data}/talk/stands.jsonl`;
if (flags.dist === undefined) {
  ensureInstalled();
  ensureBuilt();
}
const dist = path.resolve(flags.dist ?? `${root}dist`);

console.log(`machine: ${os.cpus().length} cores, Node ${process.version}`);
if (fs.existsSync(labels)) await accuracy();
else console.log('skipped: no data');
if (!flags.quick) await manyFiles();

async function accuracy() {
  const edits = fs
    .readFileSync(labels, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const answers = [];
  for (const repo of new Set(edits.map((edit) => edit.repo)))
    answers.push(
      ...(await replay(
        repo,
        edits.filter((edit) => edit.repo === repo),
      )),
    );
  if (flags.out !== undefined)
    fs.writeFileSync(flags.out, answers.map((one) => `${JSON.stringify(one)}\n`).join(''));
  report(answers);
}

/** Every edit at its moments, oldest first: each checkout is a new HEAD right before the question. */
async function replay(repo, edits) {
  const place = temporaryPlace({ dist });
  const bundle = `${data}/repos/${repo}.bundle`;
  const git = (...args) =>
    execFileSync('git', args, { cwd: place.project, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    fs.rmSync(place.project, { recursive: true });
    execFileSync('git', ['clone', '-q', bundle, place.project]);
    configure(place);
    place.memd('start');
    place.memd('backfill', '--from', transcripts(repo, place.folder));
    const line = openLine(place.socket());
    const ask = async (request) => {
      const reply = await line.ask(request);
      if (reply.ok) return reply;
      throw new Error(`${request.op}: ${JSON.stringify(reply.error)}`);
    };
    const { firstError } = await ask({ op: 'drain' });
    if (firstError !== undefined) throw new Error(`drain: ${firstError}`);
    const ids = await idsByCall(ask);
    const moments = edits
      .flatMap((edit) => edit.moments.map((moment) => ({ edit, moment })))
      .filter(({ edit }) => ids.has(edit.toolUseId))
      .sort((one, other) => (one.moment.commitDate < other.moment.commitDate ? -1 : 1));
    const answers = [];
    const first = [];
    const times = [];
    let at = '';
    for (let next = 0; next < moments.length; ) {
      const { commit } = moments[next].moment;
      const same = moments.slice(next).filter(({ moment }) => moment.commit === commit);
      const batch = same.slice(0, 10);
      next += batch.length;
      if (commit !== at) git('checkout', '-q', '--force', commit);
      const asked = batch.map(({ edit }) => ids.get(edit.toolUseId));
      const started = performance.now();
      const { summaries } = await ask({ op: 'get', ids: asked });
      (commit === at ? times : first).push(performance.now() - started);
      at = commit;
      const states = new Map(summaries.map(({ id, state }) => [id, state]));
      const firstStates = new Map(states);
      // A machine with other work does not get all of it done in time: what is known when it is asked for again.
      for (let again = 0; again < askedAgainMax && [...states.values()].some(isLate); again += 1) {
        const { summaries: later } = await ask({ op: 'get', ids: asked });
        for (const { id, state } of later) states.set(id, state);
      }
      for (const { edit, moment } of batch)
        answers.push({
          ...edit,
          moments: undefined,
          ...moment,
          state: states.get(ids.get(edit.toolUseId)),
          late: isLate(firstStates.get(ids.get(edit.toolUseId))),
        });
    }
    console.log(
      `${repo}: ${edits.length} edits, ${answers.length} answers at ${new Set(answers.map(({ commit }) => commit)).size} commits`,
    );
    console.log(
      `  get of up to 10: right after a checkout p50 ${ms(first, 0.5)}, p99 ${ms(first, 0.99)}; again p50 ${ms(times, 0.5)}, p99 ${ms(times, 0.99)}`,
    );
    await searches(ask, answers, ids, repo);
    line.close();
    return answers;
  } finally {
    place.end();
  }
}

/** At the newest commit: queries of the repository, top 10, each edit with a known fate held against its state. */
async function searches(ask, answers, ids, repo) {
  const truth = new Map(
    answers.filter(({ moment }) => moment === 'newest').map((one) => [ids.get(one.toolUseId), one]),
  );
  const byQuery = [...truth.values()].map(({ file }) =>
    path
      .basename(file)
      .replace(/\.\w+$/, ' ')
      .replace(/[_-]/g, ' '),
  );
  const times = [];
  let hits = 0;
  let gone = 0;
  let unmarked = 0;
  for (const query of new Set(byQuery)) {
    const started = performance.now();
    const found = await ask({ op: 'search', query, topK: 10 });
    times.push(performance.now() - started);
    for (const { id, state } of found.hits) {
      const known = truth.get(id);
      if (known === undefined) continue;
      hits += 1;
      if (!isGone(known)) continue;
      gone += 1;
      if (state.verdict === 'current') unmarked += 1;
    }
  }
  console.log(
    `  ${repo}, ${times.length} searches at the newest commit: ${hits} labelled hits, ${gone} gone, of these shown as current ${unmarked}; p50 ${ms(times, 0.5)}, p99 ${ms(times, 0.99)}`,
  );
}

function isLate({ detail }) {
  return detail === 'not checked in time';
}

/** By the file itself: a line that moved to another file may count either way. */
function isGone({ verdict, verdictFile, shareFile }) {
  if (verdict === 'never-committed') return verdictFile !== 'stands' && shareFile <= 0.1;
  return verdict === 'gone' || verdict === 'file-gone';
}

function isThere({ verdict, verdictFile }) {
  return verdict === 'stands' || verdictFile === 'stands';
}

function report(all) {
  // Main had not received these, or its history ends before them: git says nothing.
  const answers = all.filter(({ notYet, afterHistory }) => !notYet && !afterHistory);
  const said = (verdict) => answers.filter(({ state }) => state?.verdict === verdict);
  const committed = answers.filter(({ verdict }) => verdict !== 'never-committed');
  const table = (name, truth) =>
    `  ${name.padEnd(16)}${['current', 'changed', 'gone', 'unknown'].map((verdict) => `${verdict} ${String(truth.filter(({ state }) => state?.verdict === verdict).length).padStart(4)}`).join('  ')}`;
  console.log(`\n${answers.length} answers where git knows; by git's verdict:`);
  for (const verdict of ['stands', 'partly', 'gone', 'file-gone', 'never-committed'])
    console.log(
      table(
        verdict,
        answers.filter((one) => one.verdict === verdict),
      ),
    );
  const isRight = {
    gone: (one) => isGone(one) || ['gone', 'file-gone'].includes(one.verdictFile),
    current: isThere,
  };
  const wrong = [];
  for (const verdict of ['gone', 'current']) {
    for (const [name, of] of [
      ['all', said(verdict)],
      ['committed only', said(verdict).filter((one) => committed.includes(one))],
    ]) {
      const bad = of.filter((one) => !isRight[verdict](one));
      if (name === 'all') wrong.push(...bad);
      console.log(
        `precision of ${verdict} (${name}): ${((of.length - bad.length) / of.length).toFixed(3)} of ${of.length}`,
      );
    }
  }
  const unknown = said('unknown');
  console.log(
    `unknown: ${unknown.length} of ${answers.length} (${((100 * unknown.length) / answers.length).toFixed(1)} %)`,
  );
  console.log(`not checked in time when asked once: ${answers.filter(({ late }) => late).length}`);
  const reasons = groupBy(unknown, ({ state }) => state.detail.replace(/^\S+: /, ''));
  for (const [reason, of] of Object.entries(reasons)) console.log(`  ${of.length} ${reason}`);
  for (const { repo, file, moment, verdict, share, shareFile, lines, state } of wrong.slice(
    0,
    Number(flags.wrong),
  ))
    console.log(
      `wrong: ${repo} ${file} ${moment}: git ${verdict} (${share}, in the file ${shareFile}, ${lines} lines), said ${state.verdict}: ${state.detail}`,
    );
}

/** A repository of 100,000 files in which 10 edited files stand, were renamed or are gone. */
async function manyFiles() {
  const place = temporaryPlace({ dist });
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: place.project,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  try {
    fs.rmSync(`${place.project}/.git`, { recursive: true });
    git('init', '-q');
    for (let folder = 0; folder < 1_000; folder += 1) {
      fs.mkdirSync(`${place.project}/d${folder}`);
      for (let file = 0; file < 100; file += 1)
        fs.writeFileSync(
          `${place.project}/d${folder}/f${file}.ts`,
          `export const value = ${folder * 100 + file};\n`,
        );
    }
    configure(place);
    place.memd('start');
    const line = openLine(place.socket());
    for (let at = 0; at < 10; at += 1) {
      const content = Array.from(
        { length: 20 },
        (_, row) => `export const turbine${at}Row${row} = ${row};\n`,
      ).join('');
      fs.writeFileSync(`${place.project}/d${at}/turbine.ts`, content);
      await line.ask({
        ...{
          op: 'capture',
          tool: 'Write',
          output: 'created',
          sessionId: 's',
          toolUseId: `t${at}`,
          cwd: place.project,
        },
        input: { file_path: `${place.project}/d${at}/turbine.ts`, content },
      });
    }
    await line.ask({ op: 'drain' });
    git('add', '-A');
    git('commit', '-qm', 'all');
    const search = async () => {
      const started = performance.now();
      const { hits } = await line.ask({ op: 'search', query: 'turbine', topK: 10 });
      return { time: performance.now() - started, hits };
    };
    await search();
    const after = [];
    const again = [];
    for (let commit = 0; commit < 20; commit += 1) {
      if (commit < 5) git('mv', `d${commit}/turbine.ts`, `d${commit}/engine.ts`);
      else fs.appendFileSync(`${place.project}/d9/f1.ts`, `export const more${commit} = ${commit};\n`);
      git('commit', '-qam', `change ${commit}`);
      after.push((await search()).time);
      for (let time = 0; time < 10; time += 1) again.push((await search()).time);
    }
    const { hits } = await search();
    const counts = groupBy(hits, ({ state }) => state.verdict);
    console.log(
      `\n100,000 files: search with 10 states right after a commit p50 ${ms(after, 0.5)}, p99 ${ms(after, 0.99)}; again p50 ${ms(again, 0.5)}, p99 ${ms(again, 0.99)}`,
    );
    console.log(
      `  at the end: ${Object.entries(counts)
        .map(([verdict, of]) => `${verdict} ${of.length}`)
        .join(
          ', ',
        )}; e.g. ${hits.find(({ state }) => state.detail.includes('renamed'))?.state.detail ?? hits[0]?.state.detail}`,
    );
    line.close();
  } finally {
    place.end();
  }
}

function groupBy(list, keyOf) {
  const groups = {};
  for (const one of list) {
    const key = keyOf(one);
    groups[key] = [...(groups[key] ?? []), one];
  }
  return groups;
}

function transcripts(repo, folder) {
  const from = `${data}/transcripts/${repo}`;
  const to = `${folder}/transcripts`;
  fs.mkdirSync(to);
  for (const file of fs.readdirSync(from).filter((name) => name.endsWith('.gz')))
    fs.writeFileSync(
      `${to}/${file.replace(/\.gz$/, '')}`,
      gunzipSync(fs.readFileSync(`${from}/${file}`), { finishFlush: zlib.Z_SYNC_FLUSH }),
    );
  return to;
}

async function idsByCall(ask) {
  const ids = new Map();
  for (let before = null; ; ) {
    const { summaries } = await ask({ op: 'recent', limit: 500, before });
    for (const { id, toolUseId } of summaries) if (toolUseId !== null) ids.set(toolUseId, id);
    if (summaries.length < 500) return ids;
    before = summaries.at(-1).id;
  }
}

function ms(times, q) {
  return times.length === 0 ? '-' : `${quantile(times, q).toFixed(1)} ms`;
}
