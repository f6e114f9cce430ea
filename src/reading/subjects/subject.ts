/**
 * What a tool call is about. `name` depends on `kind`:
 * `file`: the path, relative to the folder of the call. `symbol`: `path#name`. `check`: the command without options
 * that only change its output (`npm test`), or `test:` and the name of one test. `command`: any other command. `page`:
 * an address. `query`: the text searched for. `decision`: the subject of a commit, the first line of an accepted plan,
 * a question to the user, or `question -> answer`.
 */
export interface Subject {
  readonly kind: 'file' | 'symbol' | 'check' | 'command' | 'page' | 'query' | 'decision';
  readonly name: string;
  /** `none`: the outcome is unknown. A file that could not be read or edited has `failed`. */
  readonly outcome: 'read' | 'changed' | 'created' | 'removed' | 'passed' | 'failed' | 'none';
}
