/**
 * One thing that a tool call is about. `name` by `kind`:
 * `file` its path, relative to the call's folder when it lies in it; `symbol` `path#name`; `check` what verified,
 * without what only changes its looks (`npm test`), or `test:` and the name of one test; `command` any other command,
 * as plain; `page` an address; `query` what was searched for; `decision` the subject of a commit, the first line of
 * an accepted plan, a question put to the user, and `question -> answer`.
 */
export interface Subject {
  readonly kind: 'file' | 'symbol' | 'check' | 'command' | 'page' | 'query' | 'decision';
  readonly name: string;
  /** `none`: nothing tells how it ended, or there is no ending. A file that could not be read or edited `failed`. */
  readonly outcome: 'read' | 'changed' | 'created' | 'removed' | 'passed' | 'failed' | 'none';
}
