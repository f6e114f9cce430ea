/** The question of at most about `charsMax` characters with which a message ends, or an offer that begins its last line; empty without one. */
export function closingQuestion(message: string, charsMax: number): string {
  const line = message.trimEnd().split('\n').at(-1)?.trim() ?? '';
  const [question = ''] = new RegExp(`(?:^|(?<=[.!?:] ))[^.!?]{8,${charsMax}}\\?$`).exec(line) ?? [];
  if (question !== '') return question;
  const [offer = ''] = new RegExp(`^[^.!?]{8,${charsMax}}\\?(?= )`).exec(line) ?? [];
  return offers.test(offer) ? offer : '';
}

/** `Shall I merge?`, also in German, French, Spanish and Turkish. */
const offers =
  /^(?:(?:so|then|now|ok(?:ay)?),? )?(?:shall|should|may|can) (?:i|we)\b|^(?:do|would) you (?:want|like|prefer)\b|^want me to\b|^(?:soll(?:en)?|darf) (?:ich|wir)\b|^(?:m\u00f6chtest|willst) du\b|^(?:veux-tu|voulez-vous|dois-je)\b|^\u00bf(?:quieres|debo|procedo)\b|(?:[ae]y?[\u0131i]m|[ae]l[\u0131i]m) m[\u0131i]\?$/iu;
