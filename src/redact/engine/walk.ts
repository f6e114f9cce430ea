import { isObject, type Json, type JsonObject, own } from '#core/event';
import { redactJudgedCharsMax } from '#core/limits';
import { isOneWord, Notes } from '#redact/form';
import { groupNoun, isDull, isSecret, kindOf, labelOf, quotedForm, sensitivityOf } from '#redact/names';
import {
  isMember,
  isPrivateMember,
  isTyped,
  kindOfNoun,
  staysInSecret,
  typedNoun,
  withoutTexts,
} from '#redact/scanners';
import type { Repeats } from './repeats.ts';
import { Counts, placeholder, type Reader, redactText } from './text.ts';

/** Commands that take a secret as an argument: the rules of `command-credentials` read them. */
const takesCredentials =
  /(?:^|\/)(?:curl|https?|xh|wget|sshpass|mysql|mysqldump|mysqladmin|mariadb|docker|podman|nerdctl|skopeo|buildah|oras|crane|helm|az|oc|cf|ibmcloud|redis-cli|valkey-cli|ldap[a-z]{2,8}|mongo(?:sh|dump|restore|export|import)?|sqlcmd|openssl|zip|unzip|7za?|ssh-keygen|htpasswd|smbclient|kubectl|vault|aws|gh)$/;

const namesSession = /^[\w.-]{0,40}(?:session(?:[_-]?id)?|sess(?:ion)?id|sid)$/i;

/** Fields of a call that hold sentences. */
const saying =
  /^(?:prompt|message|description|question|answer|comment|body|title|subject|instructions?|reason|text)$/i;

const authorization = /^(?:proxy-)?authorization$/i;
const cookies = /^(?:set-)?cookies?$/i;

function namesSecrets(name = ''): boolean {
  return sensitivityOf(name) !== 'none' || authorization.test(name) || cookies.test(name);
}

export class Walk implements Reader {
  readonly counts = new Counts();
  readonly notes = new Notes();
  readonly clean: Map<string, boolean>;
  readonly isSaid: boolean;
  readonly #repeats: Repeats;

  constructor(repeats: Repeats, clean: Map<string, boolean>, isSaid = false) {
    this.isSaid = isSaid;
    this.#repeats = repeats;
    this.clean = clean;
  }

  readonly report = (secret: string, kind: string): void => {
    this.counts.add(kind);
    this.#repeats.add(secret, kind);
  };

  value(value: Json, name?: string): Json {
    if (typeof value === 'string') return name === undefined ? this.text(value) : this.#named(name, value);
    if (typeof value === 'number') return name === undefined ? value : this.#number(name, value);
    if (Array.isArray(value)) return this.#array(value, name);
    return isObject(value) ? this.#object(value, name) : value;
  }

  text(text: string): string {
    return redactText(text, this).text;
  }

  #array(items: readonly Json[], name: string | undefined): Json {
    const shown: Json[] = [];
    for (const [index, item] of items.entries()) {
      // A command line as an array: ["--password", "x"]. Not what its own name replaced: the next pass would not see it.
      const before = (namesSecrets(name) ? shown : items)[index - 1];
      const word = typeof before === 'string' ? before : '';
      const flag = /^--?[A-Za-z][\w-]{1,40}$/.test(word) ? word : undefined;
      // Pairs: ["X-Api-Key", "x"].
      const isPair =
        index % 2 === 1 && /^[A-Za-z][\w.-]{2,60}$/.test(word) && sensitivityOf(word) !== 'vendor';
      const isNamed = typeof item === 'string' && isPair;
      const seen = isNamed && !namesSecrets(name) ? item : this.value(item, flag ?? name);
      // What the name of the array replaces stays replaced: {"password": ["x", "y"]}.
      shown.push(isNamed && seen === item ? this.#named(word, item, { ...quotedForm, loose: true }) : seen);
    }
    const [command] = items;
    return typeof command === 'string' && takesCredentials.test(command) ? this.#commandLine(shown) : shown;
  }

  /** ["curl", "-u", "me:x"]: only the command makes this word a secret. Words with spaces were read on their own. */
  #commandLine(words: readonly Json[]): Json {
    const isWord = (word: Json): word is string => typeof word === 'string' && /^\S+$/.test(word);
    const read = this.text(words.map((word) => (isWord(word) ? word : '_')).join(' ')).split(' ');
    // A secret over several words leaves fewer of them, so they cannot be matched any more.
    if (read.length !== words.length) return words;
    return words.map((word, index) => (isWord(word) ? (read[index] ?? word) : word));
  }

  #object(object: JsonObject, name?: string, isInSecretList = false): Json {
    // {"password": {"value": "x"}}: a value without its own name has the name of its object.
    const label = labelOf(object) ?? name;
    const noun = sensitivityOf(label ?? '') === 'none' ? typedNoun(object) : undefined;
    const isGroup = name !== undefined && groupNoun(name) !== undefined;
    const kind = own(object, 'kind') ?? (isInSecretList ? 'Secret' : undefined);
    const sealed = typeof kind === 'string' && /^secret$/i.test(kind);
    // {"name": "TOKEN", "value": "x"}, as containers, headers and forms are written.
    const nameOf = (key: string): string | undefined => {
      if (label !== undefined && /^(?:value|val|default)$/i.test(key)) return label;
      return isGroup && sensitivityOf(key) === 'none' && !isDull(key) ? name : key;
    };
    return this.#entries(object, (key, item) => {
      if (sealed && isObject(item) && (key === 'data' || key === 'stringData')) return this.#sealed(item);
      if (kind === 'SecretList' && key === 'items' && Array.isArray(item))
        return item.map((one) => (isObject(one) ? this.#object(one, undefined, true) : this.value(one)));
      if (isPrivateMember(object, key))
        return withoutTexts(item, (secret) => this.#replace('private-key', secret));
      if (noun !== undefined && typeof item === 'string' && isTyped(key, item, noun))
        return this.#replace(kindOfNoun(noun), item);
      // {"name": "session", "value": "x"}, as cookies are recorded.
      if (key === 'value' && label !== undefined && typeof item === 'string' && namesSession.test(label))
        return this.#header(`Cookie: ${label}=`, item);
      return this.value(item, nameOf(key));
    });
  }

  #entries(object: JsonObject, shown: (key: string, item: Json) => Json): Json {
    const taken = new Map<string, number>();
    // `fromEntries` defines, so that a key `__proto__` stays data.
    return Object.fromEntries(
      Object.entries(object).map(([key, item]) => [distinct(this.text(key), taken), shown(key, item)]),
    );
  }

  /** The `data` of a Kubernetes Secret: every text and number in it is secret. */
  #sealed(data: JsonObject): Json {
    return this.#entries(data, (key, item) => {
      const isValue = (typeof item === 'string' && !staysInSecret(item)) || typeof item === 'number';
      return isValue ? this.#replace('kubernetes-secret', String(item)) : this.value(item, key);
    });
  }

  #named(name: string, value: string, form = quotedForm): string {
    const text = value.trim();
    const group = groupNoun(name);
    if (group !== undefined && isMember('', text, group)) return this.#replace('secret', value);
    if (authorization.test(name)) return this.#header('Authorization: ', value);
    if (cookies.test(name)) return this.#header('Cookie: ', value);
    const sensitivity = sensitivityOf(name);
    if (sensitivity === 'none' || text === '' || !isOneWord(text))
      return redactText(value, this, this.isSaid || saying.test(name) || value.includes('commit -')).text;
    // Wrapped base64 is judged as one line.
    const judged = text.slice(0, 2 * redactJudgedCharsMax).replace(/\n/g, '');
    if (!isSecret(name, sensitivity, judged.slice(0, redactJudgedCharsMax), form)) return this.text(value);
    const { kind, rank } = kindOf(name, sensitivity);
    // The kind of a known format is more precise than the name, except for an environment variable.
    const known = redactText(value);
    if (known.redactions === 1 && rank < 3 && /^<redacted:[a-z0-9-]+>$/.test(known.text))
      return this.text(value);
    return this.#replace(kind, value);
  }

  /** Redacts a header's value as if its name stood before it. */
  #header(prefix: string, value: string): string {
    const result = this.text(prefix + value);
    return result.startsWith(prefix) ? result.slice(prefix.length) : this.text(value);
  }

  #number(name: string, value: number): Json {
    const sensitivity = sensitivityOf(name);
    const digits = String(value);
    const charsMin = { password: 4, secret: 15, token: Infinity, vendor: Infinity, none: Infinity }[
      sensitivity
    ];
    return digits.length >= charsMin ? this.#replace(kindOf(name, sensitivity).kind, digits) : value;
  }

  #replace(kind: string, secret: string): string {
    this.report(secret, kind);
    return placeholder(kind);
  }
}

/** Two secret keys of one kind would become one key: the second gets a number. `taken` counts the keys so far. */
function distinct(key: string, taken: Map<string, number>): string {
  let count = taken.get(key) ?? 0;
  let shown = key;
  if (count > 0) while (taken.has(shown)) shown = `${key}#${++count}`;
  taken.set(key, Math.max(1, count));
  if (shown !== key) taken.set(shown, 1);
  return shown;
}
