/**
 * The one rule for the arguments of a tool call: the last word of a name that is in a list below says what the argument holds
 * (`data_path` a path, `path_type` a type). Words behind a preposition only describe (`file_to_write`).
 */
export type Kind =
  /** A path, whatever the value is. */
  | 'path'
  /** A path, or the name of something else: the value decides. */
  | 'place'
  /** A command line, or its words. */
  | 'command'
  /** A text, a number, an address: not a path. */
  | 'content';

export function kindOf(name: string): Kind | null {
  const words = wordsOf(name);
  const whole = words.join('');
  if (apart.test(whole)) return 'content';
  if (/^(?:command|cmd)s?(?:line|text|string)?$/.test(whole)) return 'command';
  const at = words.findIndex((word, index) => index > 0 && prepositions.has(word));
  const front = at === -1 ? null : lastKind(words.slice(0, at));
  if (front !== null) return front;
  // `save_as`, `move_to`
  if (at === words.length - 1 && words.some((word) => writeVerbs.has(word))) return 'place';
  return lastKind(words);
}

function lastKind(words: readonly string[]): Kind | null {
  for (const word of [...words].reverse()) {
    if (contentWords.has(word)) return 'content';
    if (/^(?:commands?|cmds?|commandline)$/.test(word)) return 'command';
    if (placeWords.has(word)) return 'place';
    if (pathWord.test(word)) return 'path';
  }
  return null;
}

/** Whether a tool that only reads would write the path as well: `output_path`, `saveTo`, `log_file`. */
export function isOutput(name: string): boolean {
  return wordsOf(name).some((word) =>
    /^(?:out(?:put|puts|file|files|dir|path)?|saved?|save(?:path|file)|dest|destinations?|log|logfile|local|export|dump|download)$/.test(
      word,
    ),
  );
}

/** The working directory of the tool, in any spelling. */
export function isWorkingFolder(name: string, isShell: boolean): boolean {
  const key = wordsOf(name).join('');
  if (isShell && /^(?:dir|directory|folder|path|root)$/.test(key)) return true;
  return /^(?:p?cwd|(?:current|working|work|start|base|exec|execution|run|project|repo|repository|workspace|root)(?:dir|directory|folder|path|root|cwd)|dirpath|workspace)$/.test(
    key,
  );
}

/** The words of a name in camelCase, snake_case or kebab-case. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

/** Not a URL of another place: that names a host, and no step up, which a file system would take. A name may hold a line end. */
export function isPath(text: string): boolean {
  return (
    text !== '' && (!/^[a-z][a-z\d+.-]*:\/\/[\w[-]/i.test(text) || /^file:|\/\.{1,2}(?:\/|$)/i.test(text))
  );
}

/** In one line that is not a sentence, with a folder or an extension; not a time zone or an address. */
export function looksLikePath(text: string): boolean {
  const isName = isPath(text) && /^[^\n(){};@<>]*$/.test(text) && !/[,.:!?](?: |$)|(?: \S+){4}/.test(text);
  return isName && /[/\\~]|^\.|\.\w{1,8}$/.test(text) && !timeZone.test(text);
}

const timeZone =
  /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc|US)\/[A-Z][\w+-]*(?:\/[A-Z]\w*)?$/;

const prepositions = new Set('to as of for in into from with by on at'.split(' '));

const pathWord =
  /^(?!.*profile)\w*(?:path|file|filename|pathname|dir|directory|directorie|folder|notebook|uri)s?$/;

const placeWords = new Set(
  'target targets document documents location source src out output outputs dest destination destinations save marks'.split(
    ' ',
  ),
);

/** A symbol within a file, what is written into a cell, and paths within a text. */
const apart = /^(?:namepath.*|(?:new|old|cell|raw)sources?|(?:x|json|jmes)path)$/;

const contentWords = new Set(
  `content contents text type types mode size encoding format formats pattern regex glob filter id ids hash count max min
  limit line lines extension extensions body data description language offset start end kind schema url urls branch ref
  commit options code value values string str message prompt html markdown sql query comment title label style depth
  prefix suffix timezone zone replacement instruction instructions snippet permissions owner`.split(/\s+/),
);

/** Words in the name of a tool that writes. */
export const writeVerbs = new Set(
  `write edit create update delete remove move rename append insert replace patch save copy mkdir make modify apply
  truncate touch overwrite download put set unlink rm mv cp strreplace tabwrite export dump store screenshot pdf record
  prepend add generate restore revert reset format fix refactor inline extract unzip decompress clear clean erase wipe
  purge trash destroy drop link symlink chmod chown upsert change alter convert transform scaffold rotate persist new
  render clone reformat prettify beautify tidy organize autofix swap indent minify normalize trim migrate annotate
  inject rewrite resize crop substitute`.split(/\s+/),
);

/** Words that name what a tool reads when a reading verb stands before them: `read_pdf`, `get_screenshot`. */
const nouns = new Set(
  'screenshot pdf record format patch link set change store export dump download make new commit clean command process script console run shell terminal'.split(
    ' ',
  ),
);
const readVerbs = new Set(
  'read get list show find search view describe fetch query check inspect analyze lookup count parse preview'.split(
    ' ',
  ),
);

const shellVerbs = new Set(
  'shell bash sh zsh exec execute run command commands terminal cmd process script console stdin'.split(' '),
);

/** What a tool does, by its name. */
export type Purpose = Readonly<ReturnType<typeof purposeOf>>;

export function purposeOf(tool: string) {
  const words = wordsOf(tool);
  const read = words.findIndex((word) => readVerbs.has(word));
  const isReader = read !== -1 && !words.slice(0, read).some((word) => writeVerbs.has(word));
  // `get_and_save` does both.
  const hasBoth = words.some((word) => /^(?:and|or|then)$/.test(word));
  const doing = isReader && !hasBoth ? words.filter((word, at) => at < read || !nouns.has(word)) : words;
  // A mark in a debugger or an editor is not in the file.
  const isMark = words.some((word) =>
    /^(?:break|watch)points?$|^(?:cursor|selection|bookmark)s?$/.test(word),
  );
  return {
    isWriter: !isMark && doing.some((word) => writeVerbs.has(word)),
    isShell: doing.some((word) => shellVerbs.has(word)),
    isReader,
    words,
  };
}

/** Whether a call works on another store than this disk: a code host, a database, a wiki, an API. */
export function isElsewhere(tool: string, keys: readonly string[]): boolean {
  const name = ` ${wordsOf(tool).join(' ')} `;
  if (services.test(name)) return true;
  const isOfFiles = /(?:file|files|directory|folder|note|notes|obsidian) /.test(name);
  if (!isOfFiles && / (?:vault|wiki|api|http|https|rest|request|kv|secret|endpoint) /.test(name)) return true;
  const given = new Set(keys.map((key) => wordsOf(key).join('')));
  if (given.has('owner') && given.has('repo')) return true;
  return [...given].some((key) => remoteKeys.test(key));
}

const services =
  / (?:redis|github|gitlab|gitea|bitbucket|gdrive|drive|onedrive|dropbox|sharepoint|confluence|notion|jira|linear|slack|s3|gcs|wikijs|mediawiki|postman|openapi|swagger|consul|etcd|mongo|mongodb|elasticsearch|firebase|supabase) /;
const remoteKeys =
  /^(?:projectid|collection|bucket|reposlug|folderid|parentid|driveid|spacekey|spaceid|mount|baseurl|headers)$/;
