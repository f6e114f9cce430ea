import { isObject, own } from '#core/event';
import { argument, type Call, numberAt } from '#reading/call';
import { clip, counted, listed, plainLines, quoted, relativePaths, shownPath } from '#reading/text';
import { type Account, failedAccount } from './account.ts';
import { webAnswer } from './web-search.ts';

/** The pattern, the place, the number of results and the first ones. */
export function searchAccount(call: Call): Account {
  const pattern = argument(call, 'pattern', 'query', 'regex', 'search', 'operation', 'symbol', 'q', 'input');
  const folder = argument(call, 'path', 'dir_path', 'directory', 'target_directory', 'filePath', 'uri');
  const filter = argument(call, 'glob', 'include', 'type', 'file_pattern', 'includePattern');
  const where = folder === '' ? '' : ` in ${shownPath(folder, call.cwd)}`;
  const only = filter === '' ? '' : ` (${filter})`;
  const what = pattern === '' ? `Listed${where}` : `${verb(call)} ${quoted(pattern, 160)}${where}${only}`;
  const asked = [pattern, folder, filter, argument(call, 'allowed_domains')];
  if (call.result.failed) return failedAccount(call, what, 200, asked);
  if (isWeb(call)) return webAnswer(call, what, asked);
  const places = placesIn(call);
  return {
    text: `${what}: ${found(call, places)}`,
    terms: [...asked, places.slice(0, 20).join('\n').slice(0, 300)],
  };
}

function verb(call: Call): string {
  const name = call.tool.toLowerCase();
  if (name.includes('web')) return 'Searched the web for';
  if (name === 'lsp') return 'Asked the language server for';
  return /glob|find|file_search/.test(name) ? 'Looked for files' : 'Searched for';
}

function found(call: Call, places: readonly string[]): string {
  const [first] = places;
  if (first === undefined) return 'nothing found.';
  const count = countOf(call) ?? places.length;
  const files = new Set(places.map((place) => fileOf(place)));
  const spread = files.size > 1 && files.size < places.length ? ` in ${counted(files.size, 'file')}` : '';
  return `${count} found${spread}: ${listed(
    places.slice(0, 5).map((place) => clip(place, 110)),
    230,
    ' | ',
  )}`;
}

function countOf(call: Call): number | null {
  const output = call.output;
  if (isObject(output)) {
    const count = numberAt(output, 'totalMatches', 'totalLines', 'numFiles', 'numLines');
    if (count !== null && count > 0) return count;
  }
  const said = /^Found (\d{1,9}) /.exec(call.result.text)?.[1];
  return said === undefined ? null : Number(said);
}

/** The results: `path`, `path:line:text`, or a title. */
function placesIn(call: Call): readonly string[] {
  const output = call.output;
  const names = isObject(output) ? own(output, 'filenames') : undefined;
  const text = call.result.text;
  if (Array.isArray(names) && names.length > 0)
    return names.filter((name) => typeof name === 'string').map((name) => shownPath(name, call.cwd));
  return plainLines(relativePaths(text, call.cwd))
    .filter(
      (line) => !/^(?:Found \d+|No (?:files|matches|symbols|content)|--$|\(Results are|\[\])/.test(line),
    )
    .filter((line) => !/^(?:\S+-)?\d+-/.test(line))
    .map((line) => line.trim());
}

function isWeb(call: Call): boolean {
  return call.tool.toLowerCase().includes('web');
}

function fileOf(place: string): string {
  return /^([^:\s]+):\d+/.exec(place)?.[1] ?? place;
}
