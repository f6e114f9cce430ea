/**
 * The calls between the stories: reads, greps, listings, test runs and small edits of the same repository, with the same
 * words and other answers. Endless and repeatable: the same noise file and random source give the same calls.
 */
import { splitChoices } from './script.mjs';

/**
 * `noise` as parsed, `random` a function like Math.random. Gives a function from a day (`2026-05-06`) and the files that the
 * stories have touched by then to one call of that day.
 */
export function everyday({ noise, random }) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const files = noise.files.flatMap((file) => noise.modules.map((name) => filled(file, bindings(name))));
  const templates = shuffled(noise.calls, random);
  let next = 0;
  let today = {};
  let paths = [];

  function filled(file, bound) {
    return { path: fill(file.path, bound), text: fill(file.text, bound) };
  }

  function fill(text, bound) {
    let result = text;
    while (result.includes('«')) {
      result = result.replace(/«([^«»]*)»/, (_, slot) => {
        if (slot === '$commit') return pick(noise.commits);
        if (slot.startsWith('$')) return bound[slot] ?? today[slot];
        bound[slot] ??= drawn(slot, bound);
        return bound[slot];
      });
    }
    return result;
  }

  /** Within one call the same range is the same number, and lists of the same length go together, entry by entry. */
  function drawn(slot, bound) {
    const range = /^(\d+)\.\.(\d+)$/.exec(slot);
    if (range)
      return String(Number(range[1]) + Math.floor(random() * (Number(range[2]) - Number(range[1]) + 1)));
    const choices = splitChoices(slot);
    const place = `of ${choices.length}`;
    bound[place] ??= Math.floor(random() * choices.length);
    return choices[bound[place]];
  }

  function fromTemplate() {
    const template = templates[next++ % templates.length];
    const bound = bindings(pick(noise.modules));
    const all = (lines) => lines.map((line) => fill(line, bound));
    return {
      ...template,
      subject: fill(template.subject, bound),
      input: all(template.input),
      lines: all(template.lines),
    };
  }

  function read() {
    const file = pick(files);
    const lines = file.text.split('\n');
    const first = random() < 0.5 ? 0 : Math.floor(random() * lines.length * 0.5);
    return call('Read', {
      subject: `${file.path} | ${first + 1}`,
      lines: lines.slice(first, first + 10 + Math.floor(random() * 16)),
    });
  }

  function grep() {
    const word = pick(pick(files).text.match(/\b[A-Za-z_]{5,}\b/g));
    const folder = pick(['.', files[0].path.split('/')[0]]);
    const hits = files
      .filter(({ path }) => folder === '.' || path.startsWith(`${folder}/`))
      .flatMap(({ path, text }) =>
        text.split('\n').flatMap((line, at) => (line.includes(word) ? [`${path}:${at + 1}:${line}`] : [])),
      );
    return call('Grep', {
      subject: word,
      input: [folder],
      lines: hits.length > 0 ? hits.slice(0, 8) : ['No matches found'],
    });
  }

  function glob() {
    const name = pick(noise.modules);
    return call('Glob', {
      subject: `**/*${name}*`,
      lines: files.map((file) => file.path).filter((path) => path.toLowerCase().includes(name)),
    });
  }

  const hash = () =>
    Math.floor(random() * 0xfffffff)
      .toString(16)
      .padStart(7, '0');
  const subjectLine = () => fill(pick(noise.commits), bindings(pick(noise.modules)));
  const touched = () => [...new Set([pick(paths), pick(paths), pick(files).path, pick(files).path])];

  function git() {
    const lists = {
      'git status --short': () => touched().map((path) => `${pick([' M', ' M', '??', 'M '])} ${path}`),
      'git diff --stat': () =>
        touched().map(
          (path) => ` ${path} | ${1 + Math.floor(random() * 40)} ${pick(['++--', '+++++-', '---', '++'])}`,
        ),
      'git log --oneline -6': () => Array.from({ length: 6 }, () => `${hash()} ${subjectLine()}`),
      'git log --stat -1': () => [
        `commit ${hash()}`,
        'Author: Mira Example <mira@example>',
        '',
        `    ${subjectLine()}`,
        '',
        ...touched().map((path) => ` ${path} | ${1 + Math.floor(random() * 9)} +-`),
      ],
      'git fetch -q && git status -sb': () => [
        `## ${pick(['main', 'fix', 'wip'])}...origin/main [behind ${1 + Math.floor(random() * 9)}]`,
      ],
    };
    const command = pick(Object.keys(lists));
    return call('Bash', { input: [command], lines: lists[command]() });
  }

  function commit() {
    const subject = subjectLine();
    return call('Bash', {
      input: [`git commit -qam "${subject}" && git log --oneline -1`],
      lines: [`${hash()} ${subject}`],
    });
  }

  function listing() {
    const folder =
      pick([...files.map((file) => file.path), ...paths])
        .split('/')
        .slice(0, -1)
        .join('/') || '.';
    const inside = [...files.map((file) => file.path), ...paths].filter((path) => path.startsWith(folder));
    return call('Bash', {
      input: [`ls -la ${folder}`],
      lines: [...new Set(inside)]
        .slice(0, 9)
        .map(
          (path) =>
            `-rw-r--r-- 1 mira mira ${400 + Math.floor(random() * 9000)} ${path.slice(folder.length + 1) || path}`,
        ),
    });
  }

  function todo() {
    return call('TodoWrite', { lines: ['[x]', '[~]', '[ ]'].map((state) => `${state} ${subjectLine()}`) });
  }

  function task() {
    const name = pick(noise.modules);
    const found = files.filter((file) => file.path.toLowerCase().includes(name)).slice(0, 4);
    return call('Task', {
      subject: `Explore ${name}`,
      input: [
        `Find how ${name} are ${pick(['loaded', 'tested', 'written', 'shown'])} and which files take part.`,
      ],
      lines: [
        `The ${name} part is ${found.length} files:`,
        ...found.map((file) => `- ${file.path} (${file.text.split('\n').length} lines)`),
        `Entry point: ${pick(found).path}. Nothing else refers to it directly.`,
      ],
    });
  }

  const kinds = [
    [fromTemplate, 50],
    [read, 20],
    [grep, 8],
    [glob, 2],
    [git, 7],
    [commit, 3],
    [listing, 4],
    [todo, 3],
    [task, 3],
  ];
  return (day, touchedByThen) => {
    today = datesOf(day);
    paths = touchedByThen;
    let left = random() * 100;
    for (const [kind, share] of kinds) {
      left -= share;
      if (left < 0) return kind();
    }
    return fromTemplate();
  };
}

function call(tool, rest) {
  return { tool, subject: '', input: [], failed: false, ...rest };
}

function shuffled(list, random) {
  const result = [...list];
  for (let index = result.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [result[index], result[other]] = [result[other], result[index]];
  }
  return result;
}

/** `2026-05-06` -> the ways a template writes that day. */
function datesOf(day) {
  const parts = day.split('-');
  return { $day: day, $ymd: parts.join(''), $slashed: parts.join('/'), $month: parts.slice(0, 2).join('-') };
}

/** `orders` -> how a template names it: as given, capitalised, one of it. */
function bindings(name) {
  const Name = name[0].toUpperCase() + name.slice(1);
  const one = (text) =>
    text.endsWith('ries') ? `${text.slice(0, -3)}y` : text.endsWith('s') ? text.slice(0, -1) : text;
  return { $m: name, $M: Name, $s: one(name), $S: one(Name) };
}
