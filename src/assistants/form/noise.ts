import type { Role } from '../../core/event/index.ts';

/** A text that a client, a hook or memd adds to what people write. */
export interface NoiseRule {
  /** In whose messages it stands: by default the user's. */
  readonly role?: Role;
  /**
   * `whole`: a message that matches was said by nobody. `part`: matches are removed. `element`: elements of these names are
   * removed with their content. `tail`: all from the match on is removed.
   */
  readonly form: 'whole' | 'part' | 'element' | 'tail';
  readonly match: RegExp | readonly string[];
}

export const named = (names: string): readonly string[] => names.split(' ');
