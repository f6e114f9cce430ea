const framedCharsMin = 1_200;
const pastedLinesMin = 20;
const edgeLines = 3;
/** One line in so many is surely printed by a program. */
const markedShare = 12;

/** What somebody wrote in a prompt for this work: without the frame that an orchestrator puts around it, and without pasted output. */
export function spokenIn(prompt: string): string {
  const text = prompt.replace(/```[\s\S]*?(?:```|$)/g, ' ').replace(/^\s*"([\s\S]*)"\s*$/, '$1');
  return withoutOutput(withoutFrame(text)).trim();
}

/** The section that is the user's own. Of a prompt that gives the assistant a role: its section about the task, else all but those sentences. */
function withoutFrame(text: string): string {
  const own = ownRequest.exec(text)?.[1]?.trim() ?? '';
  if (own !== '') return own;
  if (text.length < framedCharsMin || !frame.test(text.slice(0, framedCharsMin))) return text;
  const parts = text.split(/^(?=#{1,6} )/m);
  const task = parts.findLast((part) => taskHeading.test(part));
  return task === undefined ? text.replace(frame, '') : task.replace(/^.*\n/, '');
}

/** What an editor or an orchestrator puts above the user's words ends with such a heading. */
const ownRequest =
  /^[\s\S]*(?:^|\n)#+ +(?:my|(?:the )?user(?:['’]s)?|actual|current user) (?:request|question|prompt|message|task)\b[^\n]{0,40}\n([\s\S]*)$/i;
const frame = /^(?:\s*#+ [^\n]{0,60}\n)?\s*(?:your name is|you are (?:an?|the|in)\b)[^.!?\n]*[.!?]?/i;
const taskHeading =
  /^#+ +(?:your |the |current )?(?:tasks?|objective|request|assignment|what to do)\s*:?\s*\n/i;

/** Of a pasted output what introduces it, and the questions and requests above and below it. */
function withoutOutput(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const marked = lines.filter((line) => output.test(line)).length;
  if (lines.length < pastedLinesMin || marked < edgeLines) return text;
  const prose = lines.filter((line) => isProse(line)).length;
  if (prose * (marked * markedShare > lines.length ? 2 : 4) > lines.length) return text;
  const edges = [...lines.slice(0, edgeLines), ...lines.slice(-edgeLines)];
  return edges
    .filter((line, at) => (at === 0 || asks.test(line)) && isProse(line) && !output.test(line))
    .join('\n');
}

const asks = /\?["')]?\s*$|\b(?:can|could|would) (?:you|we)\b|\b(?:please|should|fix)\b/i;
const output =
  /^\s*(?:={3,} |\$ |[[{}\]]|"\w+":|commit [0-9a-f]{7,40}\b|diff --git |at \S+ ?\(|On branch |(?:error|warning|fatal)\b|\d{4}-\d\d-\d\d[T ]|create mode |Building |Built: )/i;

/** A sentence of at least some words. */
function isProse(line: string): boolean {
  const words = line.split(/\s+/).filter((word) => /^["'(]?\p{L}[\p{L}'\u2019-]*["'),.?!:;]*$/u.test(word));
  return words.length >= 4 && words.length * 2 > line.trim().split(/\s+/).length;
}
