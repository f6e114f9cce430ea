/** The words by which a text would take over an assistant; null: it has none. */
export function hijackIn(text: string): string | null {
  return hijacks.exec(text)?.[0] ?? null;
}

const hijacks =
  /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|rules?|prompts?|above|previous|prior|earlier)\b|\b(?:system|developer) (?:prompt|message|note)\b|[<‹]\/?(?:system|instructions?|important)\b|\b(?:curl|wget)\b[^|]*\| *(?:sudo )?(?:ba|z)?sh\b/i;
