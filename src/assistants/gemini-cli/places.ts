import { createHash } from 'node:crypto';
import path from 'node:path';
import { objectAt } from '#core/event';
import {
  filesBelow,
  fileTranscript,
  folderOf,
  listing,
  objectIn,
  type Places,
  smallText,
} from '../form/index.ts';

/**
 * Gemini CLI: `tmp/<name>/chats/` below `~/.gemini` (that of `GEMINI_CLI_HOME`; recorded with 0.61.0). The name is one
 * that `projects.json` gives to a path, and `.project_root` in the folder says which; before, it was the SHA-256 of the
 * path. Chats do not name their folder, so a chat in any other folder is skipped.
 */
export const places: Places = async function* (scope) {
  const { unreadable } = scope;
  const home = path.join(folderOf(scope, 'GEMINI_CLI_HOME'), '.gemini');
  const named = namedProjects(path.join(home, 'projects.json'));
  const paths = [scope.root, ...named.values()].filter((each) => scope.belongs(each));
  const hashed = new Map(paths.map((each) => [createHash('sha256').update(each).digest('hex'), each]));
  for (const folder of listing(path.join(home, 'tmp'), unreadable).folders) {
    const name = path.basename(folder);
    const owner =
      smallText(path.join(folder, '.project_root'))?.trim() || named.get(name) || hashed.get(name);
    if (owner === undefined || !scope.belongs(owner)) continue;
    const chats = path.join(folder, 'chats');
    for (const file of filesBelow(chats, chatFiles, unreadable)) {
      // The chat of a subagent is in a folder that has the name of the session that started it.
      const above = path.dirname(file);
      const started = above === chats ? {} : { startedBy: path.basename(above) };
      yield fileTranscript(file, owner, started);
    }
  }
};

/** The paths of `{projects: {path: name}}` by their names. */
function namedProjects(file: string): Map<string, string> {
  const registry = objectIn(file);
  const projects = registry === null ? undefined : objectAt(registry, 'projects');
  const pairs = Object.entries(projects ?? {});
  return new Map(pairs.flatMap(([root, name]) => (typeof name === 'string' ? [[name, root] as const] : [])));
}

const chatFiles = /\.jsonl?(\.gz)?$/;
