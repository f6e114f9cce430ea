import { type MemoryKind, noteTool } from '#core/event';
import type { CallPosition } from '#memory/store';
import type { Factor } from './factor.ts';
import { type Intent, intentOf, type Reading } from './intent.ts';
import { looksBack } from './looks-back.ts';

export function readQuery(query: string, isOnlyDate: boolean, hasMessages: boolean): Reading {
  const intent = intentOf(query);
  const isTalk = asksTalk(query, intent, hasMessages);
  const asks = { looksBack: looksBack(query), asksWishes: isTalk && asksWishes(query) };
  return { query, intent, isTalk, isOnlyDate, ...asks };
}

type Place = Pick<CallPosition, 'kind' | 'tool' | 'isBrief'>;
type KindFactors = Readonly<Record<MemoryKind, number>>;

/** A digest has a word of everything in its session: it comes after what it sums up. */
const forCode: KindFactors = { call: 1, message: 1, session: 0.2 };
const forTalk: KindFactors = { call: 0.4, message: 1, session: 0.4 };

/**
 * Whether what was said answers a query rather than calls do: a question in plain words, where anything said is stored. A query that
 * names code, a command or a change to make looks for calls.
 */
export function asksTalk(query: string, intent: Intent, hasMessages: boolean): boolean {
  const isChange = intent === 'change' && !looksBack(query) && !reason.test(query);
  return hasMessages && intent !== 'command' && !isChange && !namesCode(query);
}

/** `clean left a branch behind, reason`: not a change to make. */
const reason = /\b(?:why|how come|reasons?|root cause)\b/i;

/** The factor of a hit by its kind. A question about a date alone finds sessions and what was asked in them, all alike. */
export function kindFactor({ kind, tool, isBrief }: Place, reading: Reading): Factor {
  const ofKind = reading.isOnlyDate ? 1 : (reading.isTalk ? forTalk : forCode)[kind];
  const value =
    ofKind *
    (tool === noteTool ? noteFactor : 1) *
    (reading.asksWishes && tool === 'Prompt' ? wishedFactors[isBrief ? 'brief' : 'long'] : 1);
  const words =
    tool === noteTool
      ? 'a note, which somebody wanted remembered'
      : value > 1
        ? 'a prompt, for a question about what was asked for'
        : `a ${kind}, for a question in plain words`;
  return { name: 'kind', value, words };
}

/**
 * A note stands alone, so no neighbour supports it: without this, long messages of a talkative session came before `we deploy on
 * Tuesdays` for `when do we deploy`.
 */
const noteFactor = 2;

/** Whether a question asks what people asked for, wanted or preferred: their own words answer it. */
export function asksWishes(query: string): boolean {
  return wishes.test(query);
}

/**
 * What prompts gain for such a question: a pasted plan has words of everything. Of 135 questions, with 1 for both -> 1.25 for both -> this:
 * session@1 .667 -> .659 -> .674, answer@5 .756 -> .763 -> .770; from 1.4 to 1.5 it is level.
 */
const wishedFactors = { brief: 1.4, long: 1.25 };

const wishes =
  /\b(?:(?:the|did|does) (?:user|reviewer)\b(?!'s)|(?:was|were|they|we|user|people) (?:exactly )?asked\b|want(?:s|ed)?|(?<!(?:pull|merge) )request(?:s|ed)?|asked for|prefer(?:s|red)?|dislikes?|according to|should)\b/i;

/** Whether a query has a path, an identifier, a flag or an error's name in it, or several lines. */
export function namesCode(query: string): boolean {
  return query.trim().includes('\n') || query.split(/\s+/).some((word) => code.test(word));
}

/** `a/b`, `a.ts`, `a_b`, `aB`, `--flag`, `f()`, `TS2345`, a quoted command. */
const code = /[/_`=(){}[\]<>|$\\]|^--?\w|\p{L}\.\p{L}{1,5}\b(?!\.)|\p{Ll}\p{Lu}|^\p{Lu}{1,6}\d{2,}|::/u;
