/**
 * Kilo, recorded with 7.7.7: OpenCode's plugin and tables under names of its own.
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
  payload: opencodePayload,
  transcripts: opencodeTranscripts,
  places: opencodePlaces('kilo'),
};
