// What states add to an answer: the same requests, one after the other, to two daemons on copies of one memory and one repository, one of
// which checks no states; and what a capture waits for its acknowledgement while states are checked.
//   node bench/state-cost.mjs --without FOLDER [--dist FOLDER] [--files 100000] [--rounds 200]
//     --without  a build in which `States.of` returns at once
//     --files    the files of the repository
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { root } from '../scripts/ready.mjs';
import { openLine, quantile, temporaryPlace } from './place.mjs';

const { values: flags } = parseArgs({
  options: {
    dist: { type: 'string', default: `${root}dist` },
    without: { type: 'string' },
    files: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '200' },
  },
});
const edits = 60;
const perCommit = 20;

const both = [];
try {
  for (const dist of [flags.dist, flags.without]) both.push(await opened(dist));
  await measure(both);
} finally {
  for (const { place, line } of both) {
    line.close();
    place.end();
  }
}

async function opened(dist) {
  const place = temporaryPlace({ dist });
  const { project } = place;
  fs.rmSync(`${project}/.git`, { recursive: true });
  git(project, 'init', '-q');
  for (let at = 0; at < Number(flags.files); at += 1) {
    if (at % 100 === 0) fs.mkdirSync(`${project}/d${at / 100}`);
    fs.writeFileSync(`${project}/d${Math.floor(at / 100)}/f${at}.ts`, `export const value = ${at};\n`);
  }
  place.memd('init');
  place.env.LOCALLLM_HOST = 'http://127.0.0.1:9';
  const file = `${place.folder}/home/.memd/default/config.json`;
  const settings = { 'drain.backend': 'builtin', 'drain.tickMs': 86_400_000 };
  fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(fs.readFileSync(file, 'utf8')), ...settings }));
  place.memd('start');
  const line = openLine(place.socket());
  for (let at = 0; at < edits; at += 1) {
    const content = Array.from(
      { length: 400 },
      (_, row) => `export const turbine${at}Row${row} = ${row};\n`,
    ).join('');
    const name = `${project}/d${at % 20}/turbine${at}.ts`;
    fs.writeFileSync(name, content);
    // The call has a part of the file, as an edit mostly has.
    const input = { file_path: name, content: content.slice(0, 2_000) };
    const call = {
      tool: 'Write',
      output: 'created',
      sessionId: `s${at % 6}`,
      toolUseId: `t${at}`,
      cwd: project,
    };
    await line.ask({ op: 'capture', ...call, input });
  }
  await line.ask({ op: 'drain' });
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'all');
  const { summaries } = await line.ask({ op: 'recent', limit: 500 });
  return { place, line, ids: summaries.map(({ id }) => id).sort((a, b) => a - b) };
}

async function measure([full, bare]) {
  const added = { get: [], search: [], 'get after a commit': [] };
  const plain = { get: [], 'get after a commit': [], search: [] };
  const withStates = { get: [], 'get after a commit': [], search: [] };
  const waits = { idle: [], checking: [] };
  const ask = async ({ line }, request) => {
    const started = performance.now();
    const reply = await line.ask(request);
    if (reply.ok !== true) throw new Error(JSON.stringify(reply.error));
    return { ms: performance.now() - started, reply };
  };
  const other = openLine(full.place.socket());
  for (let round = 0; round < Number(flags.rounds); round += 1) {
    const isAfter = round % perCommit === 0;
    if (isAfter) for (const { place } of [full, bare]) change(place.project, round);
    const at = (round * 10) % edits;
    for (const name of ['get', 'search']) {
      const request = (one) =>
        name === 'get'
          ? { op: 'get', ids: one.ids.slice(at, at + 10) }
          : { op: 'search', query: `turbine row ${round % 7}`, topK: 10 };
      // In turn first, so that neither has the other's caches.
      const order = round % 2 === 0 ? [full, bare] : [bare, full];
      const times = new Map();
      for (const one of order) times.set(one, (await ask(one, request(one))).ms);
      const kind = isAfter && name === 'get' ? 'get after a commit' : name;
      added[kind].push(times.get(full) - times.get(bare));
      plain[kind].push(times.get(bare));
      withStates[kind].push(times.get(full));
    }
    waits.idle.push(await captured(other, `i${round}`));
    const checking = ask(full, { op: 'get', ids: full.ids.slice(at, at + 10) });
    waits.checking.push(await captured(other, `c${round}`));
    await checking;
  }
  other.close();
  const line = (values) =>
    [0.5, 0.95, 0.99].map((q) => `p${q * 100} ${quantile(values, q).toFixed(1)} ms`).join(', ');
  console.log(`machine: ${os.cpus().length} cores, load ${os.loadavg()[0].toFixed(1)}; ${flags.files} files`);
  for (const [name, values] of Object.entries(added)) {
    console.log(`${name} (${values.length}): with ${line(withStates[name])}; without ${line(plain[name])}`);
    console.log(`  added in the same round: ${line(values)}`);
  }
  for (const [name, values] of Object.entries(waits))
    console.log(`acknowledgement of a capture, ${name}: ${line(values)}`);
}

async function captured(line, id) {
  const started = performance.now();
  await line.ask({
    op: 'capture',
    tool: 'Read',
    input: { file_path: 'a' },
    output: 'x',
    sessionId: 'w',
    toolUseId: id,
  });
  return performance.now() - started;
}

/** A commit that changes one of the files, and renames another now and then. */
function change(project, round) {
  fs.appendFileSync(`${project}/d1/f101.ts`, `export const more${round} = ${round};\n`);
  const name = `${project}/d${(round / perCommit) % 20}/turbine${(round / perCommit) % 20}.ts`;
  if (fs.existsSync(name)) git(project, 'mv', name, name.replace('turbine', 'engine'));
  git(project, 'commit', '-qam', `change ${round}`);
}

function git(cwd, ...args) {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, stdio: 'ignore' });
}
