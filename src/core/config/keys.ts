import { topKMax } from '../limits.ts';

/** One setting: its default, and the words after "must be " for a wrong value, or null. */
interface Key<T> {
  readonly fallback: T;
  readonly mustBe: (value: unknown) => string | null;
}

function key<T>(fallback: T, isRight: (value: unknown) => boolean, words: string): Key<T> {
  return { fallback, mustBe: (value) => (isRight(value) ? null : words) };
}

const isBetween = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'number' && value >= min && value <= max;

function whole(fallback: number, min: number, max: number): Key<number> {
  const isRight = (value: unknown): boolean => Number.isInteger(value) && isBetween(value, min, max);
  return key(fallback, isRight, `a whole number from ${min} to ${max}`);
}

function between(fallback: number, min: number, max: number): Key<number> {
  return key(fallback, (value) => isBetween(value, min, max), `a number from ${min} to ${max}`);
}

function flag(fallback: boolean): Key<boolean> {
  return key(fallback, (value) => typeof value === 'boolean', 'true or false');
}

function words(fallback: string): Key<string> {
  return key(fallback, isText, 'a text that is not empty');
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function oneOf<const T extends string>(fallback: T, all: readonly T[]): Key<T> {
  const isRight = (value: unknown): boolean => all.some((name) => name === value);
  return key(fallback, isRight, `one of ${all.map((name) => `"${name}"`).join(', ')}`);
}

function list(mustBe: (item: string) => string | null): Key<readonly string[]> {
  return {
    fallback: [],
    mustBe: (value) => {
      if (!Array.isArray(value) || !value.every(isText)) return 'a list of texts';
      return value.map(mustBe).find((wrong) => wrong !== null) ?? null;
    },
  };
}

const anyText = key('', (value) => typeof value === 'string', 'a text');

function endpoint(fallback: string): Key<string> {
  return key(fallback, isAddress, 'an http or https address');
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && normaliseEndpoint(value) !== null;
}

/** The key goes there: without a scheme it might go unencrypted. */
function hostedEndpoint(fallback: string): Key<string> {
  const isRight = (value: unknown): boolean => /^\s*https?:\/\//i.test(String(value)) && isAddress(value);
  return key(fallback, isRight, 'an address that begins with https:// (or http://)');
}

/** Every setting by its dotted name. */
export const keys = {
  topK: whole(10, 1, topKMax),
  captureObservationBudgetMs: whole(250, 10, 60_000),
  captureSpool: flag(true),
  // Whether prompts and replies are stored.
  'capture.messages': flag(true),
  // Whether assistants get the tool `mem_remember`.
  'mcp.remember': flag(true),
  'localllm.endpoint': endpoint('http://localhost:11434'),
  'localllm.model': words('llama3.2:3b'),
  'localllm.embedModel': words('nomic-embed-text'),
  'hostedllm.endpoint': hostedEndpoint('https://api.anthropic.com'),
  'hostedllm.model': words('claude-haiku-4-5'),
  'hostedllm.dailyTokenBudget': whole(200_000, 0, 1_000_000_000),
  'drain.backend': oneOf('auto', ['auto', 'local', 'hosted', 'builtin']),
  'drain.fallback': oneOf('none', ['none', 'builtin']),
  'drain.tickMs': whole(30_000, 50, 86_400_000),
  'drain.batchSize': whole(16, 1, 256),
  'drain.attemptsMax': whole(3, 1, 100),
  // `any` may cost money.
  'curate.model': oneOf('local', ['off', 'local', 'any']),
  'search.halfLifeDays': between(30, 0, 100_000),
  'search.decayFloor': between(0.8, 0, 1),
  'search.rrfK': between(60, 1, 10_000),
  // 0: a random one that is free.
  'http.port': whole(0, 0, 65_535),
  'inject.sessionStart': flag(true),
  // Whether a failed command is answered with what fixed it earlier (docs/recall.md says how often that is right).
  'inject.recall': oneOf('off', ['off', 'failures']),
  'inject.tokenBudget': whole(600, 0, 100_000),
  'retention.payloadDays': whole(365, 1, 100_000),
  'retention.databaseMiB': whole(1_024, 1, 1_048_576),
  // A git remote, an ssh address or a path; `memd sync init` sets one for a project.
  'sync.remote': anyText,
  'sync.encrypt': flag(true),
  'sync.auto': flag(false),
  'sync.share': oneOf('all', ['all', 'promoted']),
  // Authors whose pins and sessions may be in the outline.
  'sync.trust': list(() => null),
  // age recipients, instead of a passphrase.
  'sync.recipients': list((one) =>
    /^age1[0-9a-z]{58,}$/.test(one) ? null : 'a list of age recipients (`age1...`)',
  ),
  // Empty: git's user.email.
  'sync.author': anyText,
  idleMinutes: between(720, 0, 525_600),
} as const satisfies Record<string, Key<unknown>>;

export type KeyName = keyof typeof keys;

/** All settings by their dotted names, each checked. */
export type Config = { readonly [K in KeyName]: (typeof keys)[K]['fallback'] };

/** Whether `name` is a setting. */
export function isKey(name: string): name is KeyName {
  return Object.hasOwn(keys, name);
}

/**
 * A base address without a closing slash, from an address with or without scheme and port
 * (`127.0.0.1:11434`, `models.lan`, `https://host/base`), or null. A missing port is the local runtime's.
 */
export function normaliseEndpoint(text: string, defaultPort = '11434'): string | null {
  const trimmed = text.trim();
  if (trimmed === '' || /\s/.test(trimmed)) return null;
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  let url: URL;
  try {
    url = new URL(hasScheme ? trimmed : `http://${trimmed.startsWith(':') ? 'localhost' : ''}${trimmed}`);
  } catch {
    // Not an address: the caller says so in its own words.
    return null;
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  if (!hasScheme && url.port === '' && !/:80(\/|$)/.test(trimmed)) url.port = defaultPort;
  return `${url.protocol}//${url.host}${url.pathname}`.replace(/\/+$/, '');
}
