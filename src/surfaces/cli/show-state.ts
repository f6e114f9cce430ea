import { bytesIn } from '#core/platform';
import type { Workspace } from '#core/workspace';
import type { Info } from '#service/info';
import { size } from '#surfaces/health';
import {
  type AssistantState,
  assistantStates,
  assistants,
  attempt,
  installCommand,
  ownPrograms,
  pluginOf,
} from '#surfaces/install';
import type { Io } from './io.ts';
import { type Row, rowOf } from './show.ts';
import { ago, count, inHome, plural } from './words.ts';

/** What a memory has recorded, who records, its size, and the next step. */
export interface State {
  readonly rows: readonly Row[];
  /** A command, and why. */
  readonly next: string;
  readonly isRecording: boolean;
}

export function stateOf(info: Info, { folder }: Workspace, io: Io): State {
  const { recorded } = info;
  const seen = seenAssistants(recorded, io);
  const isRecording = seen.some(({ isConnected }) => isConnected);
  return {
    rows: [
      ...rowOf('sessions', recorded && sessionsWords(recorded)),
      ...seen.map(({ words }, at): Row => [at === 0 ? 'assistants' : '', words]),
      ['size', `${size(bytesIn(folder))} in ${inHome(folder, io)}`],
    ],
    next: nextStep(info, seen, isRecording),
    isRecording,
  };
}

function sessionsWords(recorded: Recorded): string {
  const [latest] = recorded;
  const sessions = recorded.reduce((sum, one) => sum + one.sessions, 0);
  return latest === undefined ? 'none yet' : `${count(sessions)}, ${lastWords(latest)}`;
}

type Recorded = NonNullable<Info['recorded']>;
type Seen = ReturnType<typeof seenAssistants>[number];

/** The assistants of this machine, and all that have recorded here. */
function seenAssistants(recorded: Info['recorded'], io: Io) {
  const states = assistantStates(io.env, ownPrograms(io.env));
  const known = states.flatMap((one) => {
    const assistant = assistants.find(({ name }) => name === one.name);
    const hasPlugin =
      assistant !== undefined && attempt(() => pluginOf(assistant, io.env), [])?.isOn === true;
    const isConnected = one.state === 'installed' || one.state === 'outdated' || hasPlugin;
    const own = recorded?.find(({ client }) => client === one.name);
    if (!isConnected && !one.isFound && own === undefined) return [];
    const state = hasPlugin && one.state !== 'outdated' ? 'connected' : stateWords[one.state];
    const repair = one.state === 'outdated' ? installCommand(one) : null;
    const captured = recorded === null ? [] : capturedWords(own);
    return [{ isConnected, repair, words: `${one.title}: ${[state, ...captured].join(', ')}` }];
  });
  const others = (recorded ?? []).filter(({ client }) => !states.some(({ name }) => name === client));
  return [
    ...known,
    ...others.map((own) => ({
      isConnected: false,
      repair: null,
      words: `${own.client}: ${capturedWords(own).join(', ')}`,
    })),
  ];
}

export const stateWords: Readonly<Record<AssistantState['state'], string>> = {
  installed: 'connected',
  outdated: 'connected by another version',
  'not-installed': 'not connected',
  unreadable: 'its settings cannot be read',
};

function capturedWords(own: Recorded[number] | undefined): string[] {
  if (own === undefined) return ['nothing captured yet'];
  return [plural(own.sessions, 'session'), lastWords(own)];
}

function lastWords({ lastTs }: Recorded[number]): string {
  return `last capture ${ago(lastTs, Date.now())}`;
}

function nextStep({ warnings, recorded, counts }: Info, seen: readonly Seen[], isRecording: boolean): string {
  const [repair] = seen.flatMap((one) => one.repair ?? []);
  if (warnings.length > 0) return '`memd doctor`: it says more about the warning';
  if (!isRecording) return '`memd setup`: no assistant is connected, so nothing new is recorded';
  if (repair !== undefined) return `\`${repair}\`: the hooks are of another version`;
  if (recorded?.length === 0) return '`memd backfill`: it imports earlier sessions';
  if (counts.raw > 0) return `\`memd drain\`: ${plural(counts.raw, 'event')} wait for a summary`;
  return '`mem search "why did we ..."`, or `memd web` for the page';
}
