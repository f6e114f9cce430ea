import { namesCode } from './kinds.ts';
import { failure } from './looks-back.ts';

/**
 * A pasted report without what its form asks of every reporter: comments, check lists, sections on the environment, and the lines after
 * its beginning that name nothing. Any other text as it is: a line of a plan counts. Of 74 first prompts in three forms, without this and
 * the whole of `sessionsOf` -> with both: Hit@1 of sessions .486 -> .586, Hit@5 .842 -> .928.
 */
export function withoutForm(text: string): string {
  if (text.length < reportCharsMin) return text;
  const kept: string[] = [];
  let isForm = false;
  let isOfForm = false;
  let chars = 0;
  for (const line of text.replace(/<!--[\s\S]*?(?:-->|$)/g, '').split('\n')) {
    const heading = headingOf(line);
    if (heading !== null) isOfForm = ofForm.test(heading);
    const isLeftOut = isOfForm || /^\s*[-*] \[[ xX]?\]/.test(line);
    isForm ||= isLeftOut;
    if (!isLeftOut && (chars < beginningChars || namesCode(line) || failure.test(line))) kept.push(line);
    chars += line.length + 1;
  }
  return isForm && kept.some((line) => line.trim() !== '') ? kept.join('\n') : text;
}

const reportCharsMin = 400;
const beginningChars = 400;
const headingCharsMax = 80;

/** `### Environment`, `**Environment**`, `Environment:`; null for any other line. */
function headingOf(line: string): string | null {
  if (line.length > headingCharsMax) return null;
  const [, hashes, bold, words] =
    /^(?:#{1,6}\s+(.+)|\*\*([^*]+)\*\*:?|(\p{Lu}[\w ]+):)$/u.exec(line.trim()) ?? [];
  return hashes ?? bold ?? words ?? null;
}

const ofForm =
  /^(?:your |my )?(?:environment|system(?: info\w*)?|versions?|platform|device|check ?lists?|additional (?:context|info\w*|comments)|screenshots?|code of conduct|acknowledge?ments?|before (?:you )?(?:submit|start|post|open)|preliminary checks?|prerequisites)\b/i;
