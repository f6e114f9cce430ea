/** A passage is between these shares of `passageChars`, but for the last one, which ends with its text. */
const shortest = 0.6;
const longest = 1.4;

export const passageChars = 450;

/** The best places for a cut, best first: after an empty line, a line, a sentence, a word. */
const ends = [/\n\s*\n/g, /\n/g, /[.!?]\s/g, /\s/g];

/** `text` cut into at most `passagesMax` passages of about `passageChars`; the last one has the rest. None is blank. */
export function passagesOf(text: string, passagesMax: number): string[] {
  const found: string[] = [];
  const windowChars = Math.round(passageChars * longest);
  let rest = text;
  while (rest.length > windowChars && found.length < passagesMax - 1) {
    const cut = cutIn(rest.slice(0, windowChars));
    found.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  return [...found, rest].filter((passage) => passage.trim() !== '');
}

/** The place nearest to `passageChars` at the best kind of end. */
function cutIn(window: string): number {
  for (const end of ends) {
    const places = [...window.matchAll(end)]
      .map((match) => match.index + match[0].length)
      .filter((place) => place >= passageChars * shortest);
    if (places.length > 0) return places.reduce((best, place) => (off(place) < off(best) ? place : best));
  }
  return passageChars;
}

function off(place: number): number {
  return Math.abs(place - passageChars);
}
