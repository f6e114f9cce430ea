import { plain } from '#guard/boundary';
import { type OptionSpec, type Options, sortOptions } from './options.ts';
import type { Command, State } from './state.ts';
import { unknownWord, type Word } from './stdin.ts';

const curlSpec: OptionSpec = {
  short: 'AbcCdDeEFhHKmoPQrtTuUwxXyYz',
  long:
    'output output-dir dump-header cookie-jar trace trace-ascii stderr etag-save hsts alt-svc libcurl ssl-sessions ' +
    'header data data-raw data-binary data-urlencode json request url user user-agent cookie form proxy max-time ' +
    'connect-timeout retry retry-delay referer range upload-file cacert cert key resolve write-out config',
};

const curl: Command = (words, state) => {
  const options = sortOptions(words, curlSpec);
  // Settings that the line names are not read: they may write anything.
  if (options.has('K', 'config') || ['CURL_HOME', 'HOME'].some((name) => state.variables.has(name)))
    state.emit('write', unknownWord);
  const folder = options.value('output-dir');
  for (const file of options.values('o', 'output')) state.emit('write', inFolder(file, folder));
  if (options.has('O', 'remote-name', 'remote-name-all')) {
    for (const address of [...options.operands, ...options.values('url')])
      state.emit('write', inFolder(lastPart(address), folder));
  }
  const also =
    'D dump-header c cookie-jar trace trace-ascii stderr etag-save libcurl hsts alt-svc ssl-sessions';
  state.emitAll('write', options.values(...also.split(' ')).filter(isFile));
  for (const { text } of options.values('w', 'write-out'))
    for (const [, file = ''] of text.matchAll(/%output\{(?:>>)?([^}]*)\}/g)) state.emit('write', plain(file));
};

const wgetSpec: OptionSpec = {
  short: 'OPoaieBtTwQUAlRDIX',
  long:
    'output-document directory-prefix output-file append-output input-file header post-data user password ' +
    'user-agent tries timeout wait quota accept reject execute config save-cookies warc-file hsts-file rejected-log ' +
    'use-askpass',
};

const wget: Command = (words, state) => {
  const options = sortOptions(words, wgetSpec);
  if (options.has('e', 'execute', 'config') || state.variables.has('WGETRC'))
    state.emit('write', unknownWord);
  const also = 'o a output-file append-output save-cookies warc-file hsts-file rejected-log';
  state.emitAll('write', options.values(...also.split(' ')));
  const folder = options.value('P', 'directory-prefix');
  const files = options.values('O', 'output-document');
  if (files.length > 0) return state.emitAll('write', files.filter(isFile));
  if (options.has('spider')) return;
  if (options.has('r', 'recursive', 'm', 'mirror', 'i', 'input-file'))
    return state.emit('into', folder ?? plain('.'));
  for (const address of options.operands) state.emit('write', inFolder(lastPart(address), folder));
};

const rsync: Command = (words, state) => {
  // Not the beginning of `--backup-dir`.
  const given = words.filter(({ text }) => text !== '--backup');
  const options = sortOptions(given, {
    short: 'efTBM',
    long:
      'rsh filter exclude include exclude-from include-from files-from temp-dir backup-dir suffix log-file ' +
      'compare-dest copy-dest link-dest bwlimit timeout port password-file chmod chown partial-dir max-size min-size ' +
      'write-batch only-write-batch',
  });
  for (const { text } of options.values('e')) state.run(text);
  if (options.has('n', 'dry-run')) return;
  state.emitAll('into', options.values('T', 'temp-dir', 'backup-dir', 'partial-dir'));
  const to = options.operands.at(-1);
  const sources = options.operands.slice(0, -1);
  state.emitAll('write', options.values('log-file', 'write-batch', 'only-write-batch'));
  if (options.has('remove-source-files')) state.emitAll('tree', sources);
  if (to === undefined || isRemote(to)) return;
  const deletes = 'delete del delete-before delete-during delete-delay delete-after delete-excluded';
  if (options.has(...deletes.split(' '))) state.emit('tree', to);
  // `a/` stands for what is in it.
  const copied = sources.map((word) => (word.text.endsWith('/') ? plain(`${word.text}.`) : word));
  state.emitCopy(copied, to);
  if (sources.some(isRemote)) state.emit('into', to);
};

const scp: Command = (words, state) => {
  const options = sortOptions(words, { short: 'cDFiJloPSX' });
  runProxies(options, state);
  for (const { text } of options.values('S')) state.run(text);
  const to = options.operands.at(-1);
  if (to === undefined || isRemote(to)) return;
  state.emitCopy(options.operands.slice(0, -1), to);
};

const sshSpec: OptionSpec = { short: 'BbcDEeFIiJLlmOopQRSWwP' };

const ssh: Command = (words, state) => {
  const options = sortOptions(words, sshSpec);
  state.emitAll('write', options.values('E'));
  emitSockets([...options.values('S'), ...options.values('L')], state);
  runProxies(options, state);
};

/** A master's socket, or the local end of a forward: `lib/s:localhost:80`. A port, and `none`, is no file. */
function emitSockets(values: readonly Word[], state: State): void {
  for (const { text } of values) {
    const [name = ''] = text.split(/[:\s]/);
    if (name.includes('/') || !/[:\s]|^none$/.test(text)) state.emit('write', plain(name));
  }
}

/** Writes its file unless it only shows, looks up or signs. */
const sshKeygen: Command = (words, state) => {
  const options = sortOptions(words, { short: 'abCDEfFIJjKmMnNOPrRsStTUVwWYzZ' });
  if (!options.has(...'lFyeBLQYi'.split(''))) state.emitAll('write', options.values('f'));
};

/** What it is asked to do stands on its input, or in a file at `-b`, which is not read. */
const sftp: Command = (words, state, stdin) => {
  const options = sortOptions(words, sshSpec);
  runProxies(options, state);
  state.emitAll('write', options.operands.slice(1));
  const asked = /^\s*-?@?(?:re|m)?get\b|^\s*!/m;
  if (options.has('b') || stdin.texts.some((text) => asked.test(text))) state.emit('write', unknownWord);
};

function runProxies(options: Options, state: State): void {
  for (const { text } of options.values('o')) {
    const [, name = '', value = ''] = /^\s*(\w+)[\s=]+(.*)$/s.exec(text) ?? [];
    if (/^(?:Proxy|Local|KnownHosts)Command$/i.test(name)) state.run(value);
    if (/^(?:ControlPath|UserKnownHostsFile)$/i.test(name) && value !== 'none')
      state.emit('write', plain(value));
    if (/^LocalForward$/i.test(name)) emitSockets([plain(`${value} `)], state);
  }
}

export const transferCommands: Readonly<Record<string, Command>> = {
  ...{ curl, wget, rsync, scp, ssh, sftp },
  'ssh-keygen': sshKeygen,
};

/** Not the standard output. */
function isFile({ text }: Word): boolean {
  return text !== '-';
}

function isRemote(word: Word): boolean {
  return /^[^/]*:/.test(word.text);
}

function lastPart(address: Word): Word {
  const name = address.text.replace(/[?#].*$/, '').replace(/^[a-z]+:\/\/[^/]*/i, '');
  return plain(name.slice(name.lastIndexOf('/') + 1) || 'index.html');
}

function inFolder(file: Word, folder: Word | undefined): Word {
  return folder === undefined ? file : plain(`${folder.text}/${file.text}`);
}
