// `node scripts/terminal-picture.mjs`: plays the demo on a terminal (util-linux `script`) and draws what it prints, when it prints it, as
// docs/pictures/demo.svg. Long waits are shortened. Who wants less motion sees the end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { root } from './ready.mjs';

const columns = 100;
const rows = 26;
const [charPx, linePx, marginPx] = [7.2, 17, 14];
const pauseMsMax = 1_500;
/** A reader needs longer than a program. */
const lineMs = 90;

/** Lines as runs of text with their SGR codes, each with the time of its first character. */
async function record() {
  const command = `stty cols ${columns} rows 50; exec ${JSON.stringify(process.execPath)} scripts/demo.mjs`;
  const demo = spawn('script', ['-qfec', command, '/dev/null'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = [];
  let [text, since] = ['', 0];
  demo.stdout.setEncoding('utf8').on('data', (chunk) => {
    for (const part of chunk.split(/(?<=\n)/)) {
      if (text === '') since = performance.now();
      text += part;
      if (!part.endsWith('\n')) continue;
      // What a carriage return has replaced was progress.
      lines.push({
        at: since,
        runs: runsIn(
          text
            .trimEnd()
            .split(/\r(?:\u001b\[K)?/)
            .at(-1),
        ),
      });
      text = '';
    }
  });
  const [code] = await once(demo, 'close');
  if (code !== 0) throw new Error(`the demo ended with ${code}`);
  return lines;
}

function runsIn(line) {
  const runs = [];
  let on = new Set();
  for (const [, codes, text] of line.matchAll(/(?:\u001b\[([\d;]*)m)?([^\u001b]*)/g)) {
    for (const code of (codes ?? '').split(';').map(Number)) {
      if (code === 22) on = new Set([...on].filter((one) => one > 2));
      else if (code === 0 || code === 39) on = new Set(code === 0 ? [] : [...on].filter((one) => one < 30));
      else on = new Set([...on, code]);
    }
    if (text !== '') runs.push({ text, names: [...on].map((one) => `c${one}`).join(' ') });
  }
  return runs;
}

const escaped = (text) => text.replace(/[&<>]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[one]);

/** Nothing of the machine on which it was played. A process keeps its number. */
const neutral = (text) =>
  text.replace(/\/\S*\/memd-demo-\w+\/home/g, '~').replace(/(?<=pid |kill -9 )\d+/g, (pid) => {
    if (!pids.includes(pid)) pids.push(pid);
    return String(4211 + 96 * pids.indexOf(pid));
  });
const pids = [];

function draw(lines) {
  let [clock, before] = [300, lines[0].at];
  const timed = lines.map(({ at, runs }) => {
    clock += Math.max(lineMs, Math.min(pauseMsMax, at - before));
    before = at;
    return { ms: clock, runs };
  });
  const end = Math.max(0, timed.length - rows);
  const scrolled = timed.slice(rows).map(({ ms }, nth) => {
    return `${((ms / clock) * 100).toFixed(2)}%{transform:translateY(-${(nth + 1) * linePx}px)}`;
  });
  const text = timed.map(({ ms, runs }, nth) => {
    const spans = runs.map(
      ({ text, names }) =>
        `<tspan${names === '' ? '' : ` class="${names}"`}>${escaped(neutral(text))}</tspan>`,
    );
    return `<text y="${(nth + 1) * linePx - 4}" style="animation-delay:${Math.round(ms)}ms">${spans.join('')}</text>`;
  });
  const [width, height] = [columns * charPx + 2 * marginPx, rows * linePx + 2 * marginPx];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="The demo of memd in a terminal">
<style>
text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#d5d9e0;white-space:pre;opacity:0;animation:in 1ms forwards}
@keyframes in{to{opacity:1}}
.all{animation:up ${Math.round(clock)}ms steps(1,end) forwards}
@keyframes up{0%{transform:none}${scrolled.join('')}}
.c1{font-weight:bold;fill:#fff}.c2{fill:#8b93a1}.c31{fill:#ff7b72}.c32{fill:#7ee787}.c33{fill:#e3b341}.c34{fill:#79c0ff}.c35{fill:#d2a8ff}.c36{fill:#56d4dd}
@media (prefers-reduced-motion:reduce){text{animation:none;opacity:1}.all{animation:none;transform:translateY(-${end * linePx}px)}}
</style>
<rect width="100%" height="100%" rx="8" fill="#14171c"/>
<svg x="${marginPx}" y="${marginPx}" width="${width - 2 * marginPx}" height="${height - 2 * marginPx}"><g class="all">
${text.join('\n')}
</g></svg>
</svg>
`;
}

fs.writeFileSync(`${root}docs/pictures/demo.svg`, draw(await record()));
