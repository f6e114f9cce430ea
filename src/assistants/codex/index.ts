/**
 * Codex, recorded with 0.169.0.
 */
import { type Assistant, preToolUse } from '../form/index.ts';
import { install } from './install.ts';
import { noise } from './noise.ts';
import { payload } from './payload.ts';
import { places } from './places.ts';
import { transcripts } from './transcripts.ts';

export const codex: Assistant = {
  name: 'codex',
  shell: ['CODEX_SANDBOX', 'CODEX_THREAD_ID'],
  session: 'CODEX_THREAD_ID',
  variables: ['CODEX_HOME'],
  install,
  resume: (session) => `codex resume ${session}`,
  before: { ...preToolUse, takesContext: true },
  payload,
  recall: 'nested',
  noise,
  transcripts,
  places,
};
