/**
 * Whether a query is a question about what was, or an error to look up: what it asks for may be of any age. A change or a request
 * is mostly about recent work.
 */
export function looksBack(query: string): boolean {
  const said = query.trim();
  if (said.length > charsMax || said.includes('\n') || toSomebody.test(said)) return false;
  return said.endsWith('?') || question.test(said) || failure.test(said);
}

const charsMax = 150;

const toSomebody = /\b(?:you|your|i|i'm|i'd|i've|i'll|let'?s|me|my|please|pls|yes|yeah|okay|ok|thanks)\b/i;

export const question =
  /^(?:why|what|what's|which|who|whose|where|when|how|did|does|do|was|were|is|are|has|have|had)\b/i;

/** How something says that it failed. */
export const failure = /error|exception|fail|fatal|panic|cannot|refused|denied|not found/i;
