import { type Unit, unitsOf } from './units.ts';

/** What a reply says is left to do, in its own sentences: a list below such a heading, or sentences that say so. */
export function nextStepsIn(message: string): string[] {
  const units = unitsOf(message).filter(({ text }) => text.length <= stepCharsMax);
  const found: string[] = [];
  let isListing = false;
  for (const { text, kind, section } of units) {
    if (kind === 'heading' || kind === 'pasted' || kind === 'row') {
      isListing = false;
      continue;
    }
    if (text.endsWith(':')) {
      isListing = introduces.test(text);
      continue;
    }
    if (kind === 'sentence') isListing = false;
    if (isListing || heads.test(section) || says({ text, kind })) found.push(text);
  }
  return found.filter((text) => !offer.test(text)).slice(0, stepsMax);
}

const stepCharsMax = 300;
const stepsMax = 4;
const heads =
  /^(?:(?:what(?:'s| is) )?(?:next|left|remaining|outstanding|open)(?: steps?| work| items?| tasks?| questions?)?|todos?|to do|follow-?ups?|blockers?|deferred|not done(?: yet)?|still (?:open|to do)|(?:recommended |suggested |possible )?next steps?.{0,20})$/i;
const introduces =
  /\b(?:next steps?|remaining|still (?:to do|open|left|needed)|left to do|todo|follow-?ups?|not yet done|blockers?)\b/i;
const offer = /\?$|^(?:would you like|do you want|shall i|let me know|want me to)\b/i;

function says({ text, kind }: Pick<Unit, 'text' | 'kind'>): boolean {
  return (
    /^(?:next(?: steps?| up)?\b[:, ]|remaining\b|todo\b|still (?:to do|open|left)\b|what'?s left\b)/i.test(
      text,
    ) ||
    (kind === 'sentence' &&
      /\b(?:you(?:'ll| will)? (?:still |also |now )?(?:need|have) to|once [^.,]{3,100} (?:is|are) [^.,]{2,40}, you (?:can|should)|not yet (?:done|implemented|fixed|pushed|committed|tested)|remains to be|left to do|still (?:needs?|has) to be)\b/i.test(
        text,
      ))
  );
}
