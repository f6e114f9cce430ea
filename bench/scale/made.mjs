// Made-up summaries and queries that behave as real ones do: words and identifiers by Zipf's law, sessions of 20 to 200
// calls that stay with a few files and names, paths and identifiers that most sessions never see again.

/**
 * The calls of one session after the other, without end: the same ones for the same seed.
 * @yields {{id: string, session: string, ts: string, tool: string, text: string, terms: string}}
 */
export function* madeSummaries(seed) {
  const vocabulary = madeVocabulary(seed);
  let minute = 0;
  for (let session = 1; ; session += 1) {
    const random = seeded(seed * 1_000_003 + session);
    const own = topicOf(vocabulary, random);
    const calls = 20 + Math.floor(random() ** 2 * 181);
    for (let call = 0; call < calls; call += 1) {
      minute += 1;
      const { tool, text, terms } = summaryOf(own, vocabulary, random);
      const ts = new Date(Date.UTC(2024, 0, 1) + minute * 30_000).toISOString();
      yield { id: `${session}-${call}`, session: `session-${session}`, ts, tool, text, terms };
    }
  }
}

/** Queries by kind; `count` of each. Each is made of what some session may have been about. */
export function madeQueries(seed, count) {
  const vocabulary = madeVocabulary(seed);
  const random = seeded(seed + 77);
  const times = (make) => Array.from({ length: count }, make);
  const words = (topic, length) =>
    Array.from({ length }, () =>
      random() < 0.5 ? pick(topic.words, random) : pick(topic.names, random),
    ).join(' ');
  return {
    short: times(() => words(topicOf(vocabulary, random), 2 + Math.floor(random() * 5))),
    prompt: times(() => promptOf(topicOf(vocabulary, random), vocabulary, random)),
    common: times(
      () => `${pick(vocabulary.words.slice(0, 12), random)} ${words(topicOf(vocabulary, random), 2)}`,
    ),
    path: times(() => pick(topicOf(vocabulary, random).files, random)),
  };
}

/** Mulberry32. */
export function seeded(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function madeVocabulary(seed) {
  const random = seeded(seed);
  const words = shuffled(plainWords, random);
  const name = () => {
    const parts = Array.from({ length: 2 + Math.floor(random() * 2) }, () => zipf(words, random));
    const style = random();
    if (style < 0.55) return parts.map((part, at) => (at === 0 ? part : capital(part))).join('');
    return style < 0.8 ? parts.join('_') : parts.map(capital).join('');
  };
  const names = [...new Set(Array.from({ length: 24_000 }, name))];
  const folders = Array.from({ length: 120 }, () => `${zipf(words, random)}/${zipf(words, random)}`);
  const files = Array.from({ length: 9_000 }, () => {
    const ending = pick(['ts', 'ts', 'go', 'py', 'test.ts', 'md', 'json'], random);
    return `src/${zipf(folders, random)}/${zipf(words, random)}-${zipf(words, random)}.${ending}`;
  });
  return { words, names, files };
}

/** What a session is about: some files, names and words of the whole, the frequent ones likelier. */
function topicOf({ words, names, files }, random) {
  const some = (list, count) => Array.from({ length: count }, () => zipf(list, random));
  return { words: some(words, 30), names: some(names, 24), files: some(files, 3 + Math.floor(random() * 6)) };
}

function summaryOf(topic, vocabulary, random) {
  const word = () => (random() < 0.6 ? pick(topic.words, random) : zipf(vocabulary.words, random));
  const name = () => (random() < 0.8 ? pick(topic.names, random) : zipf(vocabulary.names, random));
  const words = (count) => Array.from({ length: count }, word).join(' ');
  const file = random() < 0.85 ? pick(topic.files, random) : zipf(vocabulary.files, random);
  const line = Math.floor(random() * 900);
  const what = random();
  const terms = [file, ...Array.from({ length: 3 + Math.floor(random() * 7) }, name)].join(' ');
  if (what < 0.33)
    return { tool: 'Read', text: `Read ${file}: ${name()} and ${name()}, ${words(5)}.`, terms };
  if (what < 0.6) {
    const text = `Edited ${file}: replaced ${name()} by ${name()}; ${words(9)}.`;
    return { tool: 'Edit', text, terms };
  }
  if (what < 0.85) {
    const failed = random() < 0.3;
    const outcome = failed
      ? `failed with exit 1: ${file}:${line} ${name()} expected ${words(4)}`
      : `passed, ${line} tests`;
    return { tool: 'Bash', text: `Ran npm test ${words(2)}: ${outcome}; ${words(5)}.`, terms };
  }
  if (what < 0.95) {
    return { tool: 'Grep', text: `Searched for ${name()}: ${1 + (line % 40)} matches in ${file}.`, terms };
  }
  return { tool: 'TodoWrite', text: `Planned: ${words(12)}; then ${words(8)} in ${file}.`, terms };
}

/** A prompt of 30 to 100 words, with the filler of one. */
function promptOf(topic, vocabulary, random) {
  const filler = [
    'please',
    'the',
    'when',
    'it',
    'we',
    'should',
    'so that',
    'and',
    'but',
    'in',
    'for',
    'a',
    'is',
  ];
  return Array.from({ length: 30 + Math.floor(random() * 71) }, () => {
    const kind = random();
    if (kind < 0.7) return pick(filler, random);
    if (kind < 0.85) return pick(topic.words, random);
    if (kind < 0.9) return zipf(vocabulary.words, random);
    return kind < 0.98 ? pick(topic.names, random) : pick(topic.files, random);
  }).join(' ');
}

/** The item at rank r with a likelihood of about 1 / r. */
function zipf(list, random) {
  return list[Math.min(list.length - 1, Math.floor((list.length + 1) ** random()) - 1)];
}

function pick(list, random) {
  return list[Math.floor(random() * list.length)];
}

function capital(word) {
  return word[0].toUpperCase() + word.slice(1);
}

function shuffled(list, random) {
  return list
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

const plainWords = (
  'abort accept access account adapter address agent alert alias allow anchor append apply archive argument array assert ' +
  'assign async attach audit author await backend backoff backup balance banner batch bind block body boot border bound ' +
  'branch break bridge broker browser bucket buffer build bundle burst button cache call cancel capture card cascade cell ' +
  'chain change channel charge check child chunk claim class clean client clock clone close cluster code codec collect color ' +
  'column command commit compare compile component compress config confirm connect consent consume contact context contract ' +
  'convert cookie copy core count coverage create credit cursor custom daemon dashboard data database date deadline debug ' +
  'decay decode default defer delay delete deliver demo depend deploy design detail detect device dialog diff digest ' +
  'directory discard disk dispatch display document domain download draft drain driver drop dump edge edit editor element ' +
  'email embed empty enable encode endpoint engine entry enum error escape estimate event exact exit expand expire export ' +
  'extend extract factor fail fallback fault feature feed fence fetch field file filter find fixture flag flow flush focus ' +
  'fold font footer force fork form format forward frame freeze front fusion gate gateway generate global grant graph grid ' +
  'group guard handle hash header health heap hint history home hook host icon identity idle image import index inject ' +
  'inline input insert inspect install instance intake intent inverse invite invoice issue item iterate job join journal ' +
  'kernel key label lane language latency launch layer layout lazy lead leak lease legacy length level library limit line ' +
  'link list listen load locale lock log login logout loop manifest map mark match matrix measure media member memory menu ' +
  'merge message meta method metric middle migrate mirror mock mode model modal module monitor mount move name native ' +
  'navigate network node notice notify number object observe offset open operator option order origin output outline owner ' +
  'package packet page panel parent parse part pass password patch path pattern pause payload payment peer pending ' +
  'permission phase pin pipe pipeline place plan platform plugin point policy poll pool port position post prefix prepare ' +
  'preset press preview price primary print probe process product profile progress project promise prompt property proxy ' +
  'prune publish pull purge push quality query queue quota random range rank rate raw read ready reason rebuild receive ' +
  'record recover redact reduce refactor refresh region register reject relay release reload remote remove rename render ' +
  'repair replay reply report request require reset resize resolve resource restart restore result retry return review ' +
  'revoke role rollback root rotate round route router rule runner runtime salvage sample save scan schedule schema scope ' +
  'score screen script scroll search secret section secure segment select send sequence server service session setting ' +
  'setup shadow shape shard share shell shift shutdown sidebar signal size skip slice slot snapshot socket sort source span ' +
  'spawn spool stack stage start state static status step stop storage store stream string strip style subject submit ' +
  'subscribe summary support suspend switch symbol sync system table target task team template tenant term test text theme ' +
  'thread throttle ticket tick timeout timer title toggle token tool topic total trace track transaction transfer transform ' +
  'tree trigger trim tunnel type unit unlock update upgrade upload usage user validate value variant vector vendor verify ' +
  'version view visit volume wait walk warning watch weight widget window worker workspace wrap write yield zone'
).split(' ');
