// The same questions to memd, to ripgrep over one file a call, and to the reference memory server with an entity a call.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { quantile } from '../place.mjs';
import { rawText, words } from '../search/baselines.mjs';
import { openMemory } from '../search/load.mjs';
import { figuresOf } from '../search/metrics.mjs';
import { sets } from '../search/sets.mjs';

/** @returns rows of {name, ndcg10, hit5, ms} over the questions that ship with the repository */
export async function compareSearch({ ripgrep, serverMemory }, dist) {
  const answers = { memd: [], ripgrep: [], 'server-memory': [] };
  for (const { calls, queries } of sets.questions()) {
    const memory = await openMemory(calls, { backend: 'builtin', config: {}, dist });
    const files = openFiles(calls, ripgrep.program);
    const graph = await openGraph(calls, serverMemory.script);
    try {
      for (const query of queries) {
        answers.memd.push(await answered(query, () => askMemd(memory, query)));
        answers.ripgrep.push(await answered(query, () => files.ask(query.query)));
        answers['server-memory'].push(await answered(query, () => graph.ask(query.query)));
      }
    } finally {
      memory.close();
      files.end();
      await graph.end();
    }
  }
  return Object.entries(answers).map(([name, all]) => ({
    name,
    questions: all.length,
    ndcg10: mean(all.map(({ figures }) => figures.ndcg10)),
    hit5: mean(all.map(({ figures }) => figures.hit5)),
    ms: quantile(
      all.map(({ ms }) => ms),
      0.5,
    ),
  }));
}

async function answered(query, ask) {
  const started = performance.now();
  const order = await ask();
  return { figures: figuresOf(query, order), ms: performance.now() - started };
}

async function askMemd(memory, { query, ts }) {
  const { hits } = await memory.search({ query, asOf: ts, topK: 10 });
  return hits.map(({ toolUseId: id, sessionId: session }) => ({ id, session }));
}

/** What a developer does: any of the query's words, the files with the most matching lines first. */
function openFiles(calls, program) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ripgrep-compare-'));
  for (const call of calls) fs.writeFileSync(path.join(folder, call.id), rawText(call));
  const sessions = new Map(calls.map(({ id, session }) => [id, session]));
  return {
    ask(query) {
      const asked = words(query).filter((word) => word.length > 2);
      if (asked.length === 0) return [];
      const args = [
        '--count',
        '--ignore-case',
        '--fixed-strings',
        ...asked.flatMap((word) => ['-e', word]),
        folder,
      ];
      return output(program, args)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => /^(.*):(\d+)$/.exec(line))
        .map(([, file, count]) => ({ id: path.basename(file), count: Number(count) }))
        .toSorted((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1))
        .map(({ id }) => ({ id, session: sessions.get(id) }));
    },
    end: () => fs.rmSync(folder, { recursive: true }),
  };
}

/** ripgrep's exit status is 1 where nothing matches. */
function output(program, args) {
  try {
    return execFileSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  } catch (error) {
    if (error.status === 1) return '';
    throw error;
  }
}

/** An assistant that was asked to remember each call: one entity, its text as the observation. */
async function openGraph(calls, script) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-memory-compare-'));
  const client = new Client({ name: 'compare', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [script],
      env: { PATH: process.env.PATH, MEMORY_FILE_PATH: path.join(folder, 'memory.jsonl') },
      stderr: 'ignore',
    }),
  );
  const entities = calls.map((call) => ({
    name: call.id,
    entityType: call.tool,
    observations: [rawText(call)],
  }));
  for (let at = 0; at < entities.length; at += 100)
    await client.callTool({ name: 'create_entities', arguments: { entities: entities.slice(at, at + 100) } });
  const sessions = new Map(calls.map(({ id, session }) => [id, session]));
  return {
    async ask(query) {
      const { content } = await client.callTool({ name: 'search_nodes', arguments: { query } });
      return JSON.parse(content[0].text).entities.map(({ name }) => ({
        id: name,
        session: sessions.get(name),
      }));
    },
    async end() {
      await client.close();
      fs.rmSync(folder, { recursive: true });
    },
  };
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
