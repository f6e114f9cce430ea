import { likeness } from '#memory/curate';
import type { Said } from '#memory/store';

const sentenceCharsMax = 240;
const suggestionsMax = 10;
const scoreMin = 3;

/** What the user refused or corrected, as a candidate for a rule. */
export interface Suggestion {
  readonly id: number;
  /** ISO 8601: when it was said first. */
  readonly ts: string;
  /** The user's own sentence. */
  readonly text: string;
  /** In how many sessions it was said. */
  readonly sessions: number;
}

/** The sentences that most likely outlast their task, the likeliest first. */
export function suggestRules(said: readonly Said[]): readonly Suggestion[] {
  const groups: { first: Said; text: string; words: ReadonlySet<string>; sessions: Set<string> }[] = [];
  for (const one of said) {
    const [, refusal] = one.text.split(refused);
    const own = (refusal ?? one.text).trim();
    if (own.length > messageCharsMax || injected.test(own)) continue;
    for (const sentence of own.split(/(?<=[.!?])\s+|\n+/)) {
      const text = sentence.trim();
      if (text.length > sentenceCharsMax || scoreOf(text) === 0) continue;
      const words = new Set(text.toLowerCase().match(/[a-z][\w./-]*\w/g) ?? []);
      const same = groups.find((group) => likeness(group.words, words) >= 0.6);
      if (same === undefined) groups.push({ first: one, text, words, sessions: new Set([one.sessionId]) });
      else same.sessions.add(one.sessionId);
    }
  }
  return groups
    .map(({ first: { id, ts }, text, sessions }) => ({ id, ts, text, sessions: sessions.size }))
    .map((one) => ({ one, score: scoreOf(one.text) + 2 * (one.sessions - 1) }))
    .filter(({ score }) => score >= scoreMin)
    .sort((one, other) => other.score - one.score || other.one.ts.localeCompare(one.one.ts))
    .slice(0, suggestionsMax)
    .map(({ one }) => one);
}

const messageCharsMax = 1_500;
const refused = /the user said:\s*/;
const injected =
  /^<|^This session is being continued|^Caveat:|^\[Request interrupted|^Implement the following plan/;

/** How likely a sentence is a rule; 0: it is none. */
function scoreOf(text: string): number {
  if (!opens.test(text) || ofToday.test(text)) return 0;
  return 2 + (standing.test(text) ? 2 : 0) + (names.test(text) ? 1 : 0);
}

/** It begins as a rule does. */
const opens =
  /^(?:(?:no|ok|please|and|also|remember)[,.:! ]+)*(?:never|always|don'?t|do not|prefer|avoid|from now on|in (?:the )?future|we (?:don'?t|never|always|prefer)|(?:new )?standing \w+:)(?!\w)/i;
/** A question, a step of the day, or a thought. */
const ofToday = /\?|\b(?:yet|for now|right now|this time|anymore|worry|forget|you|i|this|these|those)\b/i;
const standing =
  /\b(?:always|never|from now on|in (?:the )?future|(?:every?|each|next) (?:time|(?:new )?session)|standing (?:orders?|items?|rules?)|we (?:don'?t|never|always|prefer)|prefer|as a rule)\b/i;
/** A command, a path or a word to write. */
const names =
  /`[^`]+`|[\w-]+\/[\w./-]+|\w\.(?:[jt]sx?|py|go|rs|md|json|ya?ml|toml|sql|sh)\b|\b(?:git|npm|pnpm|yarn|bun|make|cargo|go|pip|docker|commit|push|merge|main|branch|CI|tests?|sub-?agents?)\b/i;
