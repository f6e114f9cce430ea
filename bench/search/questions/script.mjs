/**
 * Reads the two kinds of text this data set is written in: stories/REPO.txt (what happened, and the questions about it)
 * and noise/REPO.txt (templates of everyday calls). It knows nothing about assistants or random choice.
 */

/** A story file -> its sessions, each with `calls`, and its questions. */
export function parseStories(text) {
  const sessions = [];
  const questions = [];
  for (const block of blocks(text)) {
    if (block.mark === '%%%') {
      const [id, start, agent, noise, instead = ''] = block.head.split('|').map((part) => part.trim());
      const swaps = instead
        .split('; ')
        .filter(Boolean)
        .map((swap) => swap.split('='));
      sessions.push({ id, start, agent, noise: Number(noise), swaps, calls: [] });
    } else if (block.mark === '@@@') sessions.at(-1).calls.push(parseCall(block));
    else questions.push(parseQuestion(block));
  }
  return { sessions, questions };
}

/** A noise file -> word lists, file templates and call templates. */
export function parseNoise(text) {
  const lists = {};
  const files = [];
  const calls = [];
  for (const line of text.slice(0, text.indexOf('%%%')).split('\n')) {
    const colon = line.indexOf(': ');
    if (colon > 0) lists[line.slice(0, colon)] = line.slice(colon + 2);
  }
  for (const block of blocks(text)) {
    if (block.head.startsWith('file '))
      files.push({ path: block.head.slice(5), text: block.lines.join('\n') });
    else if (block.mark === '@@@') calls.push(parseCall(block));
  }
  return {
    modules: lists.modules.split(' '),
    tests: lists.tests,
    commits: splitChoices(lists.commits),
    files,
    calls,
  };
}

/** `a|«b|c»|d` -> ['a', '«b|c»', 'd']: bars inside a slot belong to the slot. */
export function splitChoices(text) {
  const parts = [''];
  let depth = 0;
  for (const char of text) {
    if (char === '«') depth += 1;
    if (char === '»') depth -= 1;
    if (char === '|' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts;
}

function blocks(text) {
  const found = [];
  for (const line of text.split('\n')) {
    const mark = line.slice(0, 3);
    if (mark === '%%%' || mark === '@@@' || mark === '???')
      found.push({ mark, head: line.slice(4), lines: [] });
    else found.at(-1)?.lines.push(line);
  }
  for (const block of found) while (block.lines.at(-1) === '') block.lines.pop();
  return found;
}

/**
 * `@@@ Tool subject #key !`, then `> ` lines of input, then the output (where a line may begin with `\> `); a Read's
 * subject may end in `| first line`.
 */
function parseCall({ head, lines }) {
  const words = head.split(' ');
  const failed = words.at(-1) === '!' && words.pop() === '!';
  const key = words.at(-1).startsWith('#') ? words.pop().slice(1) : undefined;
  const [tool, ...subject] = words;
  const end = lines.findIndex((line) => !line.startsWith('> '));
  const given = tool === 'Edit' ? 0 : end < 0 ? lines.length : end;
  return {
    tool,
    key,
    failed,
    subject: subject.join(' '),
    input: lines.slice(0, given).map((line) => line.slice(2)),
    lines: lines.slice(given).map((line) => (line.startsWith('\\> ') ? line.slice(1) : line)),
  };
}

/** `??? kind | question`, then `= key:grade ...`, `: answer`, `! what only the answer holds`. */
function parseQuestion({ head, lines }) {
  const bar = head.indexOf('|');
  const question = {
    kind: head.slice(0, bar).trim(),
    query: head.slice(bar + 1).trim(),
    labels: [],
    answer: '',
  };
  for (const line of lines) {
    const rest = line.slice(2);
    if (line.startsWith('= ')) question.labels = rest.split(' ').map((label) => label.split(':'));
    if (line.startsWith(': ')) question.answer = rest;
    if (line.startsWith('! ')) question.mark = new RegExp(rest);
  }
  return question;
}
