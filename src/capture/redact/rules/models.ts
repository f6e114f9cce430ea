import { fill, patterned, type Rule } from '../rule.ts';
import { looksRandom } from '../value.ts';

/** Makers and hosts of models. */
export const modelRules: readonly Rule[] = [
  // The old form holds "OpenAI" in base64 in its middle.
  patterned(
    'openai-key',
    ['t3blbkfj'],
    /(?<![\w-])sk-[\w-]{16,100}T3BlbkFJ[\w-]{16,100}/,
    () => [`sk-${fill('alnum', 20)}${'T3Blbk' + 'FJ'}${fill('alnum', 20)}`],
    { before: 104 },
  ),
  patterned('huggingface-token', ['hf_'], /hf_([A-Za-z]{34,40})(?!\w)/, () => ['hf_' + fill('letter', 34)], {
    bounded: true,
    check: (secret) => looksRandom(secret),
  }),
];
