// How the demonstration looks: numbered steps, plain sentences, commands as they are typed. Colour and the moving
// line only on a terminal.
import { styleText } from 'node:util';

const isTerminal = process.stdout.isTTY === true;
const colours = isTerminal && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
const columns = Math.min(process.stdout.columns ?? 100, 120);

export const style = (format, text) => (colours ? styleText(format, text) : text);

export function title(text) {
  write(`\n${style('bold', text)}\n`);
}

export function step(number, text) {
  write(`\n${style(['bold', 'cyan'], `${number}  ${text}`)}\n`);
  afterOutput = false;
}

/** A paragraph, wrapped. */
export function say(text) {
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      write(`${line}\n`);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  write(`${line}\n`);
}

/** One line that is shown as it is, cut at the edge of the terminal. */
export function show(text, format = 'reset') {
  write(`    ${style(format, clip(text, columns - 4))}\n`);
}

/** A command as a person would type it; what it says follows. */
export function typed(words, { isSilent = false } = {}) {
  const line = words.map((word) => (/^[\w./@:=-]+$/.test(word) ? word : `"${word}"`)).join(' ');
  write(`${afterOutput ? '\n' : ''}${style('dim', '$')} ${style('bold', line)}\n`);
  afterOutput = !isSilent;
}

/** Replaces the moving line; an empty text takes it away. */
export function progress(text) {
  if (isTerminal) write(`\r\u001b[K${text === '' ? '' : style('dim', clip(text, columns - 1))}`);
}

/** Whether the output of a command stands above: the next command then keeps its distance. */
let afterOutput = false;

function clip(text, max) {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}

function write(text) {
  process.stdout.write(text);
}

// A reader may close the pipe (`| head`); the demonstration must still clean up.
process.stdout.on('error', () => {});
