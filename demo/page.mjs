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
  write(`\n${style(['bold', 'cyan'], `${number}`)}  ${style('bold', text)}\n`);
}

/** A paragraph, wrapped. */
export function say(text) {
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns - indent.length) {
      write(`${indent}${line}\n`);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  write(`${indent}${line}\n`);
}

/** One line that is shown as it is, cut at the edge of the terminal. */
export function show(text, format = 'reset') {
  write(`${indent}  ${style(format, clip(text, columns - indent.length - 2))}\n`);
}

/** A command as a person would type it. */
export function typed(words) {
  const line = words.map((word) => (/^[\w./@:=-]+$/.test(word) ? word : `"${word}"`)).join(' ');
  write(`\n${indent}${style('dim', '$')} ${style('bold', line)}\n`);
}

/** Replaces the moving line; an empty text takes it away. */
export function progress(text) {
  if (isTerminal) write(`\r\u001b[K${text === '' ? '' : style('dim', clip(`${indent}${text}`, columns - 1))}`);
}

export function blank() {
  write('\n');
}

const indent = '   ';

function clip(text, max) {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}

function write(text) {
  process.stdout.write(text);
}

// Whoever reads along may leave (`| head`); the demonstration then still has to clean up after itself.
process.stdout.on('error', () => {});
