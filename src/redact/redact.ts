import { isObject, type Json, type JsonObject, type Observation } from '../event/index.ts';
import { type Form, isSecret, kindOf } from './judge.ts';
import { tellingOf } from './name.ts';
import { placeholder, redactText } from './text.ts';
import { isPlaceholder } from './value.ts';

export interface Redacted<T> {
  readonly value: T;
  /** How many places were replaced. */
  readonly redactions: number;
  /** The same by KIND, the word in `<redacted:KIND>`. */
  readonly kinds: Readonly<Record<string, number>>;
}

/**
 * `value` without secrets: every string by itself, every value by the name it stands under, and every key of an
 * object. The result has the shape of the input; a number under a name like `password` becomes a string.
 */
export function redact(value: Json): Redacted<Json> {
  const walk = new Walk();
  const result = walk.value(value);
  return { value: result, redactions: walk.redactions, kinds: walk.kinds };
}

/** `observation` without secrets, in what the tool got and gave and in its other texts. */
export function redactObservation(observation: Observation): Redacted<Observation> {
  const walk = new Walk();
  const value: Observation = {
    ...observation,
    tool: walk.text(observation.tool),
    input: walk.value(observation.input),
    output: walk.value(observation.output),
    sessionId: walk.text(observation.sessionId),
    toolUseId: observation.toolUseId === null ? null : walk.text(observation.toolUseId),
    cwd: observation.cwd === null ? null : walk.text(observation.cwd),
  };
  return { value, redactions: walk.redactions, kinds: walk.kinds };
}

const literal: Form = { quoted: true, tight: false, alone: true, loose: false };

/** The commands that `command-credentials` has rules for. */
const takesCredentials = /(?:^|\/)(?:curl|https?|xh|wget|sshpass|mysql|mysqldump|mysqladmin|mariadb|docker)$/;

class Walk {
  redactions = 0;
  readonly kinds: Record<string, number> = {};

  value(value: Json, name?: string): Json {
    if (typeof value === 'string') return name === undefined ? this.text(value) : this.#named(name, value);
    if (typeof value === 'number') return name === undefined ? value : this.#number(name, value);
    if (Array.isArray(value)) return this.#array(value, name);
    return isObject(value) ? this.#object(value) : value;
  }

  text(text: string): string {
    const { text: result, redactions, kinds } = redactText(text);
    if (redactions === 0) return text;
    for (const [kind, count] of Object.entries(kinds)) this.#count(kind, count);
    return result;
  }

  #array(items: readonly Json[], name: string | undefined): Json {
    const shown = items.map((item, index) => {
      // A command line as an array: ["--password", "x"].
      const before = items[index - 1];
      const flag = typeof before === 'string' && /^--?[A-Za-z][\w-]{1,40}$/.test(before) ? before : undefined;
      return this.value(item, flag ?? name);
    });
    const [command] = items;
    return typeof command === 'string' && takesCredentials.test(command) ? this.#commandLine(shown) : shown;
  }

  /** What only the command before it makes a secret: ["curl", "-u", "me:x"]. A word with spaces in it was read by itself. */
  #commandLine(words: readonly Json[]): Json {
    const isWord = (word: Json): word is string => typeof word === 'string' && /^\S+$/.test(word);
    const read = this.text(words.map((word) => (isWord(word) ? word : '_')).join(' ')).split(' ');
    // A secret that goes over several words leaves fewer: nobody could tell which is which.
    if (read.length !== words.length) return words;
    return words.map((word, index) => (isWord(word) ? (read[index] ?? word) : word));
  }

  #object(object: JsonObject): Json {
    const label = labelOf(object);
    const sealed = object['kind'] === 'Secret';
    const taken = new Set<string>();
    const entries = Object.entries(object).map(([key, item]): [string, Json] => {
      const shown = distinct(this.text(key), taken);
      if (sealed && isObject(item) && (key === 'data' || key === 'stringData'))
        return [shown, this.#sealed(item)];
      // {"name": "TOKEN", "value": "x"}, as containers, headers and forms are written.
      return [
        shown,
        this.value(item, label !== undefined && /^(?:value|val|default)$/i.test(key) ? label : key),
      ];
    });
    // `fromEntries` defines, so that a key `__proto__` stays data.
    return Object.fromEntries(entries);
  }

  /** The `data` of a Kubernetes Secret, whose every text is one, or of something else of that kind, which may hold anything. */
  #sealed(data: JsonObject): Json {
    const taken = new Set<string>();
    const entries = Object.entries(data).map(([key, item]): [string, Json] => {
      const shown = distinct(this.text(key), taken);
      const isPlain = typeof item !== 'string' || item === '' || isPlaceholder(item);
      return [shown, isPlain ? this.value(item, key) : this.#replace('kubernetes-secret')];
    });
    return Object.fromEntries(entries);
  }

  #named(name: string, value: string): string {
    const text = value.trim();
    if (/^(?:proxy-)?authorization$/i.test(name)) return this.#header('Authorization: ', value);
    if (/^(?:set-)?cookies?$/i.test(name)) return this.#header('Cookie: ', value);
    const telling = tellingOf(name);
    if (telling === 'none' || text === '' || text.length > 4_096 || text.includes('\n'))
      return this.text(value);
    if (!isSecret(name, telling, text, literal)) return this.text(value);
    const { kind, rank } = kindOf(name, telling);
    // A known format says more than the name, unless the name is a variable's.
    const known = redactText(value);
    if (known.redactions === 1 && rank < 3 && /^<redacted:[a-z0-9-]+>$/.test(known.text))
      return this.text(value);
    return this.#replace(kind);
  }

  /** Redacts a header's value as if its name stood before it. */
  #header(prefix: string, value: string): string {
    const result = this.text(prefix + value);
    return result.startsWith(prefix) ? result.slice(prefix.length) : this.text(value);
  }

  #number(name: string, value: number): Json {
    const telling = tellingOf(name);
    const digits = String(value);
    const secret = telling === 'password' ? digits.length >= 4 : telling === 'secret' && digits.length >= 15;
    return secret ? this.#replace(kindOf(name, telling).kind) : value;
  }

  #replace(kind: string): string {
    this.#count(kind, 1);
    return placeholder(kind);
  }

  #count(kind: string, count: number): void {
    this.redactions += count;
    this.kinds[kind] = (this.kinds[kind] ?? 0) + count;
  }
}

/** Two secret keys of one kind would become one key and lose a value: the second gets a number. */
function distinct(key: string, taken: Set<string>): string {
  let shown = key;
  for (let count = 2; taken.has(shown); count++) shown = `${key}#${count}`;
  taken.add(shown);
  return shown;
}

function labelOf(object: JsonObject): string | undefined {
  for (const key of ['name', 'key', 'Name', 'Key', 'header']) {
    const label = Object.hasOwn(object, key) ? object[key] : undefined;
    if (typeof label === 'string' && label.length <= 96) return label;
  }
  return undefined;
}
