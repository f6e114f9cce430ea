import readline from 'node:readline';
import type { Io } from './io.ts';
import type { HitReply } from './replies.ts';
import { hitsLines } from './show-hits.ts';
import { shortLine } from './show-log.ts';
import { columnsOf, inLine, plural } from './words.ts';

/** What to do with the hit that was picked. */
export type Act = 'show' | 'copy' | 'resume' | 'page';

export interface Picked {
  readonly act: Act;
  readonly hit: HitReply;
}

/** What to list for a query; it may be empty. */
export type Find = (query: string) => Promise<readonly HitReply[]>;

const keys = 'Enter show · ^Y copy · ^R resume · ^O page · Esc quit';
const acts: Readonly<Record<string, Act>> = {
  return: 'show',
  enter: 'show',
  '^y': 'copy',
  '^r': 'resume',
  '^o': 'page',
};
const leaves = ['escape', '^c', '^d'];
/** Rows that the selection moves; a page goes to the end of the list. */
const moves: Readonly<Record<string, number>> = {
  ...{ up: -1, '^p': -1, '^k': -1, down: 1, '^n': 1, '^j': 1 },
  ...{ pageup: -Infinity, pagedown: Infinity },
};
/** Another screen, on which what is too long is cut, and a paste differs from typing; and back. */
const enter = '\u001b[?1049h\u001b[?7l\u001b[?2004h';
const leave = '\u001b[?2004l\u001b[?7h\u001b[?1049l';

/** On the whole terminal: type, look, choose. Null when nothing was chosen. The terminal is as before, however it ends. */
export function pick(find: Find, io: Io): Promise<Picked | null> {
  const { stdin, stdout } = process;
  return new Promise((resolve, reject) => {
    const restore = (): void => {
      stdout.write(leave);
      stdin.setRawMode(false);
    };
    const end = (then: () => void): void => {
      isOver = true;
      for (const name of ended) process.off(name, quit);
      process.off('exit', restore);
      stdin.off('keypress', press).pause();
      stdout.off('resize', draw);
      restore();
      then();
    };
    let isOver = false;
    /** Asked for before the answer to what was typed. */
    let act: Act | undefined;
    const draw = (): void => {
      // Some terminals do not tell their size.
      stdout.write(list.screen(stdout.rows || 24, stdout.columns || 80));
    };
    const changed = (): void => {
      // An answer may come when all is over.
      if (isOver) return;
      const [hit, wanted] = [list.chosen, act];
      if (list.isAnswered) act = undefined;
      if (list.isAnswered && wanted !== undefined && hit !== undefined)
        end(() => resolve({ act: wanted, hit }));
      else draw();
    };
    const list = new List(find, io, { changed, failed: (error) => end(() => reject(error)) });
    const keyboard = new Keyboard();
    const press = (typed: string | undefined, key: readline.Key): void => {
      const pressed = keyboard.read(typed, key);
      if (pressed === null) return;
      const { name, text } = pressed;
      if (leaves.includes(name)) {
        end(() => resolve(null));
        return;
      }
      act = Object.hasOwn(acts, name) ? acts[name] : undefined;
      if (act === undefined) list.press(name, text);
      changed();
    };
    const quit = (): void => process.exit(1);
    readline.emitKeypressEvents(stdin);
    stdin.setRawMode(true);
    process.once('exit', restore);
    for (const name of ended) process.once(name, quit);
    stdin.on('keypress', press).resume();
    stdout.on('resize', draw);
    stdout.write(enter);
    draw();
    list.press('', '');
  });
}

const ended = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

/** Keys by name, with what they type. A paste is one text, and no key of it is pressed. */
class Keyboard {
  #pasted: string | null = null;

  /** Null within a paste. */
  read(typed = '', key: readline.Key): { name: string; text: string } | null {
    const name = key.ctrl === true ? `^${key.name}` : (key.name ?? '');
    const pasted = this.#pasted;
    if (name === 'paste-start') this.#pasted = '';
    else if (name === 'paste-end') this.#pasted = null;
    else if (pasted === null || name === '^c')
      return { name, text: key.ctrl === true || key.meta === true ? '' : typed };
    else this.#pasted = pasted + typed;
    return name === 'paste-end' && pasted !== null ? { name: '', text: inLine(pasted) } : null;
  }
}

interface Listener {
  /** The list is that of another query. */
  readonly changed: () => void;
  readonly failed: (error: unknown) => void;
}

/** The query, what it found, and which of that is chosen. */
class List {
  readonly #find: Find;
  readonly #io: Io;
  readonly #listener: Listener;
  #query = '';
  #hits: readonly HitReply[] = [];
  /** For which query; null before the first answer. */
  #found: string | null = null;
  #isAsking = false;
  #at = 0;

  constructor(find: Find, io: Io, listener: Listener) {
    this.#find = find;
    this.#io = io;
    this.#listener = listener;
  }

  get chosen(): HitReply | undefined {
    return this.#hits[this.#at];
  }

  /** Whether the list is that of the query. */
  get isAnswered(): boolean {
    return this.#found === this.#query;
  }

  press(name: string, typed: string): void {
    const step = (Object.hasOwn(moves, name) ? moves[name] : undefined) ?? 0;
    this.#at = Math.max(0, Math.min(this.#at + step, this.#hits.length - 1));
    if (name === 'backspace') this.#query = [...this.#query].slice(0, -1).join('');
    else if (name === '^u') this.#query = '';
    else if (name === '^w') this.#query = this.#query.replace(/\S*\s*$/, '');
    else if (!/\p{Cc}/u.test(typed)) this.#query += typed;
    void this.#ask();
  }

  /** One question at a time: what was typed meanwhile is asked next. */
  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      while (!this.isAnswered) {
        const query = this.#query;
        this.#hits = await this.#find(query);
        this.#found = query;
        this.#at = 0;
        this.#listener.changed();
      }
    } catch (error) {
      this.#listener.failed(error);
    } finally {
      this.#isAsking = false;
    }
  }

  /** All lines of the screen; the cursor is left behind the query. */
  screen(rows: number, columns: number): string {
    const io = { ...this.#io, columns: Math.max(20, Math.min(columns, 120)) };
    const room = Math.max(1, Math.floor((rows - 3) * listShare));
    const from = Math.max(0, this.#at - room + 1);
    const list = this.#hits.slice(from, from + room).map((hit, nth) => {
      const line = shortLine(hit, { ...io, columns: io.columns - 2 });
      const row = from + nth === this.#at ? `> ${line}` : `  ${line}`;
      if (!this.isAnswered) return io.style('dim', row);
      return from + nth === this.#at ? io.style('bold', row) : row;
    });
    const { chosen } = this;
    const shown =
      chosen === undefined ? [] : ['', ...hitsLines([chosen], this.#query, io, Infinity).split('\n')];
    const body = [io.style('dim', this.#state()), ...list, ...shown].slice(0, Math.max(0, rows - 2));
    const blank = Array.from({ length: Math.max(0, rows - 2 - body.length) }, () => '');
    const below = [...body, ...blank, io.style('dim', keys.slice(0, columns))].map(
      (line) => `\r\n\u001b[2K${line}`,
    );
    return `\u001b[H${below.join('')}\u001b[H\u001b[2K${io.style('bold', '>')} ${endOf(inLine(this.#query), columns - 3)}`;
  }

  #state(): string {
    if (this.#found === null) return '';
    if (!this.isAnswered) return 'searching …';
    if (this.#hits.length > 0) return plural(this.#hits.length, this.#found === '' ? 'recent memory' : 'hit');
    return this.#found.trim() === '' ? 'type to search' : 'nothing found';
  }
}

/** What one types is in view: of a long query its end. */
function endOf(query: string, columns: number): string {
  let end = '';
  for (const char of [...query].reverse()) {
    if (columnsOf(char + end) > columns) break;
    end = char + end;
  }
  return end;
}

/** Of the rows; the rest shows the chosen hit. */
const listShare = 0.45;
