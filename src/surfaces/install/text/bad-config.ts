import { Failure } from '#core/platform';

/** The refusal of a settings file as it is. `what` begins with its name. */
export function badConfig(what: string, repair = 'correct the file'): Failure {
  return new Failure('bad_config', what, {
    safe: 'nothing was changed',
    repair: `${repair}, then run it again`,
  });
}
