import { plain } from '../../boundary/index.ts';
import { sortOptions } from './options.ts';
import type { Command } from './state.ts';
import type { Word } from './stdin.ts';

const curl: Command = (words, state) => {
  const options = sortOptions(words, {
    short: 'AbcCdDeEFhHKmoPQrtTuUwxXyYz',
    long:
      'output output-dir dump-header cookie-jar trace trace-ascii stderr etag-save hsts alt-svc libcurl ' +
      'header data data-raw data-binary data-urlencode json request url user user-agent cookie form proxy max-time ' +
      'connect-timeout retry retry-delay referer range upload-file cacert cert key resolve write-out config',
  });
  const folder = options.value('output-dir');
  for (const file of options.values('o', 'output')) state.emit('write', inFolder(file, folder));
  if (options.has('O', 'remote-name', 'remote-name-all')) {
    for (const address of [...options.operands, ...options.values('url')]) {
      state.emit('write', inFolder(lastPart(address), folder));
    }
  }
  const also = 'D dump-header c cookie-jar trace trace-ascii stderr etag-save libcurl'.split(' ');
  for (const file of options.values(...also)) if (file?.text !== '-') state.emit('write', file);
};

const wget: Command = (words, state) => {
  const options = sortOptions(words, {
    short: 'OPoaieBtTwQUAlRDIX',
    long:
      'output-document directory-prefix output-file append-output input-file header post-data user password ' +
      'user-agent tries timeout wait quota accept reject',
  });
  state.emitAll('write', options.values('o', 'a', 'output-file', 'append-output'));
  const folder = options.value('P', 'directory-prefix');
  const files = options.values('O', 'output-document');
  if (files.length > 0)
    return state.emitAll(
      'write',
      files.filter((file) => file?.text !== '-'),
    );
  if (options.has('spider')) return;
  if (options.has('r', 'recursive', 'm', 'mirror', 'i', 'input-file'))
    return state.emit('into', folder ?? plain('.'));
  for (const address of options.operands) state.emit('write', inFolder(lastPart(address), folder));
};

const rsync: Command = (words, state) => {
  const options = sortOptions(words, {
    short: 'efTBM',
    long:
      'rsh filter exclude include exclude-from include-from files-from temp-dir backup-dir suffix log-file ' +
      'compare-dest copy-dest link-dest bwlimit timeout port password-file chmod chown partial-dir max-size min-size',
  });
  if (options.has('n', 'dry-run')) return;
  const to = options.operands.at(-1);
  const sources = options.operands.slice(0, -1);
  state.emitAll('write', options.values('log-file'));
  if (options.has('remove-source-files')) state.emitAll('tree', sources);
  if (to === undefined || isRemote(to)) return;
  const deletes = 'delete del delete-before delete-during delete-delay delete-after delete-excluded';
  if (options.has(...deletes.split(' '))) state.emit('tree', to);
  // `a/` stands for what is in it.
  state.emitCopy(
    sources.map((word) => (word?.text.endsWith('/') ? plain(`${word.text}.`) : word)),
    to,
  );
  if (sources.some(isRemote)) state.emit('into', to);
};

const scp: Command = (words, state) => {
  const options = sortOptions(words, { short: 'cDFiJloPSX' });
  const to = options.operands.at(-1);
  if (to === undefined || isRemote(to)) return;
  state.emitCopy(options.operands.slice(0, -1), to);
};

export const transferCommands: Readonly<Record<string, Command>> = { curl, wget, rsync, scp };

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
