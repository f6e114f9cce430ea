import { messageTools } from '#core/event';
import type { SearchReads } from '#memory/store';
import { isStopWord, stem } from '#reading/terms';
import { sentencesOf } from '#reading/text';
import { type Scored, times } from './factor.ts';
import { supersessionFactors } from './supersession.ts';

/** Among the best messages what amends an earlier one is raised above it. An edge would say more: that the earlier one may be pruned. */
export function raiseAmending<R extends Scored>(store: SearchReads, bestFirst: readonly R[]): readonly R[] {
  const best = bestFirst.slice(0, looked).filter(({ place }) => place.kind === 'message');
  const typed = best.filter(({ place }) => place.tool !== messageTools.assistant);
  if (typed.length === 0 || best.length < 2) return bestFirst;
  const contents = store.contents(best.map(({ place }) => place.id));
  const saidBy = ({ place }: Scored): string => {
    const output = contents.get(place.id)?.output ?? '';
    return output === '' || output.length > 2 * typedCharsMax ? '' : String(JSON.parse(output));
  };
  const said = new Map(best.map((one) => [one, saidBy(one)]));
  const later = new Map<number, number[]>();
  for (const one of typed)
    for (const other of best)
      if (other.place.ts < one.place.ts && amends(said.get(one) ?? '', said.get(other) ?? ''))
        later.set(other.place.id, [...(later.get(other.place.id) ?? []), one.place.id]);
  if (later.size === 0) return bestFirst;
  const factors = supersessionFactors(new Map(best.map(({ place, score }) => [place.id, score])), later);
  const words = 'decides otherwise than an earlier message';
  return bestFirst.map((one) => times(one, { name: 'amends', value: factors.get(one.place.id) ?? 1, words }));
}

/**
 * Whether what somebody typed later decides otherwise than an earlier message on the same matter: it refuses the same, names what it
 * replaces, or has another number for the same words. Reports and questions decide nothing.
 */
export function amends(later: string, earlier: string): boolean {
  if ([later, earlier].some((text) => text.length > typedCharsMax || text.includes('?'))) return false;
  const now = sentencesOf(later).filter((text) => orders.test(text));
  if (now.length === 0) return false;
  const before = sentencesOf(earlier).filter((text) => !reports.test(text) && !replaces.test(text));
  return now.some((text) => before.some((was) => isOtherwise(text, was)));
}

function isOtherwise(now: string, was: string): boolean {
  const [clause = ''] = now.replace(lead, '').split(/[,;] /, 1);
  const [said, known] = [wordsIn(clause), wordsIn(was)];
  const shared = said.filter((word) => known.includes(word)).length;
  if (shared === 0 || shared < subjectShare * Math.max(said.length, known.length)) return false;
  const [number, other] = [now, was].map((text) => text.match(numbers) ?? []);
  if (number?.length === 1 && other?.length === 1 && number[0] !== other[0])
    return sets.test(now) && shared === said.length;
  if (refuses.test(clause)) return shared > 1 && shared === said.length && !refuses.test(was);
  const [, old] = replaces.exec(clause) ?? [];
  const where = wordsIn(/.*\b(?:in|for|on)\b(.*)/i.exec(clause)?.[1] ?? '');
  return old !== undefined && shared > 1 && [...wordsIn(old), ...where].every((word) => known.includes(word));
}

/** The stems of what is decided, without numbers. */
function wordsIn(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}[\p{L}\p{N}_]+/gu) ?? [];
  return [...new Set(words.filter((word) => !isStopWord(word) && !deciding.test(word)).map(stem))];
}

const looked = 12;
const typedCharsMax = 600;
/** Of the words of the longer sentence. */
const subjectShare = 0.5;
const numbers = /(?<![\p{L}\d#./-])\d+(?:\.\d+)?(?![\d./-])/gu;
const deciding =
  /^(?:actually|instead|rather|longer|switch|change|make|set|raise|lower|increase|reduce|bump|replace|us(?:e|ed|ing)|lets?|stop|drop|move|now|do|don|should|ke(?:ep|pt)|please|propose|suggest|would)$/;
const lead = /^(?:(?:no|ok(?:ay)?|actually|please|so|and|but|then)[,.!:]? )*/i;
const orders =
  /^(?:(?:no|ok(?:ay)?|actually|please|so|and|but|then)[,.!:]? )*(?:let['\u2019]?s|use|make|set|raise|lower|increase|reduce|bump|change|switch|replace|move|send|put|keep|store|stop|drop|do not|don['\u2019]t|never|we|(?:\S+ ){1,4}(?:no longer|should|must))\b/i;
/** What somebody says about a state or his own work. */
const reports =
  /^(?:let me|i (?:see|found|notice|understand|can|will|need|have)|i['\u2019](?:ll|ve|m)|done|good|great|now|you['\u2019]re|there)\b|\b(?:fails|failing|failures?|errors in|broken|crash(?:es|ed))\b/i;
const sets = /\b(?:make|set|raise|lower|increase|reduce|bump|change|switch|should|must|instead|now)\b/i;
const refuses = /\b(?:no longer|not|never)\b|n['\u2019]t\b/i;
const replaces =
  /\b(?:instead of|rather than|replace|(?:stop|drop|get rid of)(?: using)?|(?:change|switch|move)\b.{0,40}? from) (?:the |an? )?((?:[\p{L}\p{N}_.-]+ ?){1,2})/iu;
