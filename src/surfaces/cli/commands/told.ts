import { jsonText } from '#core/event';
import { shortSession } from '#core/rpc';
import type { Io } from '../io.ts';
import { type AddCommand, command, countOption } from '../program.ts';
import { answer, type ToldReply } from '../replies.ts';
import { ago, inLine } from '../words.ts';

const memoriesMax = 6;
const textCharsMax = 100;

export const toldCommand: AddCommand = (program, io) => {
  const added = command(
    program,
    'told',
    'show what assistants were given without a question, and what followed',
    ['memd told', 'memd told -k 3 --json'],
  );
  countOption(added, 'number of times', { fallback: 10 }).action(
    async ({ number: limit, json }: { readonly number: number; readonly json?: boolean }) => {
      const { told } = await answer('told', { limit }, io);
      if (json) return io.out(jsonText({ ok: true, told }, 2));
      if (told.length === 0)
        return io.note('no assistant was given anything by itself yet: no outline, recall or rule');
      for (const one of told) io.out(toldLines(one, io));
    },
  );
};

function toldLines({ ts, sessionId, kind, memories }: ToldReply, io: Io): string {
  const head = `${ago(ts, Date.now())} · ${reasons[kind] ?? 'at session start'} · session ${inLine(shortSession(sessionId))}`;
  const lines = memories.slice(0, memoriesMax).flatMap(({ id, text, followedBy, outcome }) => {
    const shown = text === '' ? 'forgotten' : inLine(text);
    const cut = shown.length > textCharsMax ? `${shown.slice(0, textCharsMax)}…` : shown;
    const then = followedBy === null ? [] : [io.style('dim', `      then #${followedBy}: ${ended(outcome)}`)];
    return [`  #${id} ${cut}`, ...then];
  });
  const more = memories.length - memoriesMax;
  return [io.style('bold', head), ...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n');
}

const reasons: Readonly<Record<string, string>> = {
  recall: 'after a command failed as an earlier one did',
  rule: 'before a call that your rule concerns',
};

function ended(outcome: string | null): string {
  return outcome === null || outcome === 'none' ? 'ran' : inLine(outcome);
}
