/**
 * How well and how fast secrets are redacted, on data that is no part of the repository.
 * `node bench/redaction.mjs [--misses] [--changed] [--show N]`; the data's folder is `MEMD_DATA`, by default
 * `../shared/data` next to the repository. Prints `skipped: no data` where there is none.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const data = resolve(root, process.env.MEMD_DATA ?? '../shared/data');
const show = Number(process.argv[process.argv.indexOf('--show') + 1]) || 0;

/** Kinds given for the name before a value, or for its place, rather than for the value's own form. */
const named = new Set([
  'env',
  'password',
  'secret',
  'high-entropy',
  'kubernetes-secret',
  'url-credentials',
  'command-credentials',
  'authorization',
]);

const { redact, redactText } = await load();
sentences(redactText);
if (existsSync(data)) {
  recall(redactText);
  lookAlikes(redactText);
  realCalls(redact, redactText);
} else {
  console.log('skipped: no data');
}

/** The room as it would be built, imported from memory. */
async function load() {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'src/redact/engine/index.ts')],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

/** Secrets in sentences, by half: the rules were built on `odd` and are measured on `even` (bench/prose/README.md). */
function sentences(redactText) {
  for (const [half, rest] of [
    ['odd', 0],
    ['even', 1],
  ]) {
    const lines = (name) => proseLines(name).filter((_, at) => at % 2 === rest);
    const said = lines('secrets');
    const missed = said.filter((line) => redactText(line.replace(/[«»]/g, '')).text.includes(secretIn(line)));
    const alike = lines('look-alikes');
    const changed = alike.filter((line) => redactText(line).redactions > 0);
    console.log(
      `sentences, ${half} lines: ${ratio(said.length - missed.length, said.length)} of secrets found, ${ratio(changed.length, alike.length)} of look-alikes changed`,
    );
    if (process.argv.includes('--misses')) for (const line of missed) console.log(`        ${line}`);
    if (process.argv.includes('--changed')) for (const line of changed) console.log(`        ${line}`);
  }
}

function proseLines(name) {
  const text = readFileSync(join(root, `bench/prose/${name}.txt`), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.replaceAll('\\n', '\n'));
}

function secretIn(line) {
  return /«(.*)»/.exec(line)?.[1] ?? line;
}

function recall(redactText) {
  const rows = readLines(join(data, 'secrets/tp.jsonl'));
  /** A distinct secret counts as found when every text that holds it comes out without it. */
  const secrets = new Map();
  for (const { rule, secret, text } of rows) {
    const found = !redactText(text).text.includes(secret);
    const key = `${rule}\0${secret}`;
    const entry = secrets.get(key) ?? { rule, secret, texts: 0, found: 0, missed: [] };
    entry.texts++;
    if (found) entry.found++;
    else entry.missed.push(text);
    secrets.set(key, entry);
  }
  const all = [...secrets.values()];
  const texts = all.reduce((sum, entry) => sum + entry.found, 0);
  const everywhere = all.filter((entry) => entry.found === entry.texts).length;
  const anywhere = all.filter((entry) => entry.found > 0).length;
  const rules = Map.groupBy?.(all, (entry) => entry.rule) ?? groupBy(all, (entry) => entry.rule);
  const whole = [...rules.values()].filter((list) =>
    list.every((entry) => entry.found === entry.texts),
  ).length;
  console.log(
    `recall: ${ratio(anywhere, all.length)} of distinct secrets in some text, ${ratio(everywhere, all.length)} in every text that holds them`,
  );
  console.log(
    `        ${ratio(texts, rows.length)} of texts; ${whole} of ${rules.size} rules without a miss`,
  );
  for (const [rule, list] of rules) {
    const missed = list.filter((entry) => entry.found < entry.texts);
    if (missed.length === 0) continue;
    console.log(`        ${rule}: ${missed.length} of ${list.length} secrets missed somewhere`);
    if (!process.argv.includes('--misses')) continue;
    for (const entry of missed)
      for (const text of entry.missed.slice(0, 4))
        console.log(
          `          ${JSON.stringify(text.slice(0, 240))} | ${JSON.stringify(entry.secret.slice(0, 60))}`,
        );
  }
}

function lookAlikes(redactText) {
  const rows = readLines(join(data, 'secrets/fp.jsonl'));
  // Judged apart: what the contract wants redacted (a value under a secret's name), as the given kinds show.
  const changed = rows
    .map((row) => ({ ...row, ...redactText(row.text), before: row.text }))
    .filter((row) => row.redactions > 0);
  const assigned = changed.filter((row) => Object.keys(row.kinds).every((kind) => named.has(kind)));
  console.log(
    `look-alikes: ${changed.length} of ${rows.length} changed, ${assigned.length} of them only as assignments to secret names, credentials in addresses or commands`,
  );
  const rest = changed.filter((row) => !assigned.includes(row));
  console.log(`             ${ratio(rest.length, rows.length)} changed by a format`);
  if (process.argv.includes('--changed')) {
    for (const row of changed)
      console.log(
        `  ${row.rule} ${JSON.stringify(row.kinds)} ${JSON.stringify(row.before.slice(0, 300))} -> ${JSON.stringify(row.text.slice(0, 300))}`,
      );
  }
}

function realCalls(redact, redactText) {
  const folder = join(data, 'code-memory');
  const calls = readdirSync(folder)
    .filter((file) => file.startsWith('docs.'))
    .flatMap((file) => readLines(join(folder, file)).map(({ input, output }) => ({ input, output })));
  const bytes = calls.reduce((sum, call) => sum + Buffer.byteLength(JSON.stringify(call)), 0);
  const megabytes = bytes / 1e6;
  const kinds = {};
  let redactions = 0;
  const examples = [];
  for (const call of calls) {
    const result = redact(call);
    redactions += result.redactions;
    for (const [kind, count] of Object.entries(result.kinds)) kinds[kind] = (kinds[kind] ?? 0) + count;
    if (show > 0 && result.redactions > 0) collect(call, redactText, redact, examples);
  }
  console.log(
    `real calls: ${calls.length}, ${megabytes.toFixed(1)} MB, ${redactions} redactions, ${(redactions / megabytes).toFixed(2)} per MB`,
  );
  console.log(`            ${JSON.stringify(kinds)}`);
  let best = 0;
  for (let round = 0; round < 3; round++) {
    const start = process.hrtime.bigint();
    for (const call of calls) redact(call);
    const seconds = Number(process.hrtime.bigint() - start) / 1e9;
    best = Math.max(best, megabytes / seconds);
  }
  console.log(`speed: ${best.toFixed(0)} MB/s (best of 3, one thread, node ${process.version})`);
  for (const example of examples.slice(0, show)) console.log(`  ${example}`);
}

/** Lines of a call's texts that redaction changes, before and after. */
function collect(call, redactText, redact, examples) {
  const walk = (value, name) => {
    if (typeof value === 'string') {
      const result = redactText(value);
      if (result.redactions === 0) {
        const byName = name === undefined ? undefined : redact({ [name]: value });
        if (byName !== undefined && byName.redactions > 0)
          examples.push(`NAME ${name}: ${value.slice(0, 160)}`);
        return;
      }
      const lines = value.split('\n');
      for (const line of lines) {
        const changed = redactText(line);
        if (changed.redactions > 0)
          examples.push(
            `${line.trim().slice(0, 200)}   ==>   ${Object.keys(changed.kinds).join()} ${clip(changed.text)}`,
          );
      }
      if (lines.every((line) => redactText(line).redactions === 0))
        examples.push(`BLOCK ${Object.keys(result.kinds).join()} ${clip(result.text)}`);
    } else if (Array.isArray(value)) for (const item of value) walk(item, undefined);
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) walk(item, key);
  };
  walk(call);
}

function clip(text) {
  const at = text.indexOf('<redacted:');
  return text.slice(Math.max(0, at - 60), at + 60).replaceAll('\n', '\\n');
}

function readLines(file) {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function ratio(part, whole) {
  return `${part}/${whole} (${((100 * part) / whole).toFixed(1)} %)`;
}
