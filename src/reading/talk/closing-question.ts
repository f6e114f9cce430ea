/** The question of at most about `charsMax` characters with which a message ends; empty without one. */
export function closingQuestion(message: string, charsMax: number): string {
  const line = message.trimEnd().split('\n').at(-1)?.trim() ?? '';
  const [question = ''] = new RegExp(`(?:^|(?<=[.!?:] ))[^.!?]{8,${charsMax}}\\?$`).exec(line) ?? [];
  return question;
}
