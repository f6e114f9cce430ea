/**
 * OpenCode, recorded with 1.18.33: a plugin instead of hooks, a database instead of transcripts, which Kilo shares.
 */
import {
  type Assistant,
  opencodeBefore,
  opencodeInstall,
  opencodePayload,
  opencodePlaces,
  opencodeTranscripts,
} from '../form/index.ts';

const second =
  'OpenCode 2 does not load this plugin: its sessions come with `memd backfill` (read by public descriptions, not tested)';

export const opencode: Assistant = {
  name: 'opencode',
  shell: ['OPENCODE'],
  variables: ['XDG_DATA_HOME', 'OPENCODE_DB'],
  install: opencodeInstall('opencode', 'OpenCode', [second]),
  resume: (session) => `opencode --session ${session}`,
  before: opencodeBefore,
  payload: opencodePayload,
  transcripts: opencodeTranscripts,
  places: opencodePlaces('opencode'),
};
