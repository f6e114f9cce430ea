import { Failure } from '#core/platform';

/** The open database is not the file at its path any more. Code `moved_database`. */
export function movedFailure(file: string): Failure {
  return new Failure('moved_database', `${file} was moved, removed or replaced while it was in use`, {
    safe: 'what was acknowledged since is in the log, and the rest is in the former file',
    repair:
      'put the file back if that was a mistake, then run `memd start` (before it is replaced by hand, run `memd stop`)',
  });
}

export function isMoved(error: unknown): boolean {
  return error instanceof Failure && error.code === 'moved_database';
}
