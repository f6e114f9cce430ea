import { likeness } from '../lines.ts';
import { haveSameWords } from '../words.ts';
import { named, type Rule, sameLocation } from './rule.ts';

/**
 * The same call with the same result and the same summary. The request must be equal, and the output 90 % alike,
 * without times.
 */
export const duplicate: Rule = (pair) => {
  const { older, newer } = pair;
  if (older.asked !== newer.asked || older.failed !== newer.failed || !sameLocation(pair)) return null;
  // "Task 1" of two sessions are two tasks. A refusal or an answer belongs to its own question.
  if (newer.family === 'plan' && older.sessionId !== newer.sessionId) return null;
  if (newer.family === 'question' || newer.refused || older.refused) return null;
  if (!haveSameWords(older.words, newer.words)) return null;
  const same = likeness(older.output, newer.output);
  if (same < likenessMin) return null;
  const came = same === 1 ? 'the same result' : `a result alike to ${Math.floor(same * 100)} %`;
  return {
    kind: 'supersedes',
    evidence: `duplicate: ${named(newer)} is the same call as ${named(older)}, with ${came}`,
  };
};

const likenessMin = 0.9;
