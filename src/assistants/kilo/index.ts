/**
 * Kilo, recorded with 7.7.7: OpenCode's plugin and tables under names of its own. A payload that names nobody is OpenCode's.
 */
import {
  type Assistant,
  opencodeBefore,
  opencodeInstall,
  opencodePayload,
  opencodePlaces,
  opencodeTranscripts,
} from '../form/index.ts';

export const kilo: Assistant = {
  name: 'kilo',
  variables: ['XDG_DATA_HOME', 'KILO_DB'],
  install: opencodeInstall('kilo', 'Kilo', []),
  resume: (session) => `kilo --session ${session}`,
  before: opencodeBefore,
  payload: { ...opencodePayload, recognises: () => false },
  transcripts: opencodeTranscripts,
  places: opencodePlaces('kilo'),
};
