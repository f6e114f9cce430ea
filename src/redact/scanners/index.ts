/**
 * Finds secrets that no single pattern describes: in sentences, assignments, tables, headers, manifests, keys over several lines, and texts
 * that are quoted or encoded. Each scanner takes a text and gives ranges, in time linear in it. Nothing is replaced here.
 */
export { assignments } from './assignment.ts';
export { continued } from './continued.ts';
export { cookies } from './cookie.ts';
export { isMember } from './groups.ts';
export { isPrivateMember, jsonWebKeys, withoutTexts } from './jwk.ts';
export { privateKeys } from './keys.ts';
export { kubernetesSecrets } from './kubernetes/kubernetes.ts';
export { staysInSecret } from './kubernetes/value.ts';
export { closingTags, isClosedPart, privateParts, tagAt } from './private-parts.ts';
export { prose } from './prose.ts';
export { shapesIn } from './prose-shape.ts';
export { kindOfNoun } from './prose-value.ts';
export { runsIn } from './runs.ts';
export { tables } from './tables.ts';
export { isTokenInWord, mayBeginInWord } from './token-in-word.ts';
export { isTyped, typed, typedNoun } from './typed.ts';
export { unveiled, veiled } from './unveiled.ts';
export { type View, viewsOf } from './views.ts';
