import { indexTerms, isStopWord, stem } from '#reading/terms';
import { conceptsOf } from './concepts.ts';

/** The weight of each kind of feature, relative to a whole word. */
const weights = { compound: 0.5, gram: 0.4, concept: 0.8 };

/**
 * The weighted features of a text: stems, whole identifiers, three-letter grams (a word and its derivations share most of them)
 * and concepts. A repeated term counts 1 + ln(times) (Manning, Raghavan, Schuetze: Introduction to Information Retrieval, 6.4.1).
 */
export function features(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of indexTerms(text)) {
    // `indexTerms` gives a word and its stem; the stem represents both.
    if (stem(term) === term && !isStopWord(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const weighted = new Map<string, number>();
  const add = (feature: string, weight: number) =>
    void weighted.set(feature, (weighted.get(feature) ?? 0) + weight);
  for (const [term, times] of counts) addTerm(term, (1 + Math.log(times)) * rarity(term), add);
  return weighted;
}

function addTerm(term: string, weight: number, add: (feature: string, weight: number) => void): void {
  const isCompound = /[-_./+#]/.test(term);
  add(term, isCompound ? weight * weights.compound : weight);
  if (isCompound) return;
  for (const concept of conceptsOf(term)) add(`c ${concept}`, weight * weights.concept);
  if (!/^[a-z]{4,20}$/.test(term)) return;
  const framed = `^${term}$`;
  // The grams of a word weigh together what one word weighs (squares add up), however long it is.
  const each = (weight * weights.gram) / Math.sqrt(framed.length - 2);
  for (let at = 0; at + 3 <= framed.length; at++) add(`3 ${framed.slice(at, at + 3)}`, each);
}

function rarity(term: string): number {
  return commonTerms.has(term) ? 0.4 : 1;
}

/** Stems that occur in nearly every tool call. */
const commonTerms: ReadonlySet<string> = new Set(
  (
    'file fil read edit bash writ run ran us new old line command output input tool call chang updat add code ' +
    'src tmp user users home work dev ts js go py md json txt test error return string const import export ' +
    'function func typ true false null nil undefin valu name path dir num number list set get find found grep ' +
    'glob task text content data success success ok result show see look check first last next all one two'
  ).split(' '),
);
