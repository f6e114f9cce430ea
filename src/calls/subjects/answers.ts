import { isObject, own } from '../../core/event/index.ts';
import { type Call, textsIn } from '../call/index.ts';

/** Each question with its answer, where the client separates them. */
export function answersIn(call: Call): readonly { readonly question: string; readonly answer: string }[] {
  const answers = isObject(call.output) ? own(call.output, 'answers') : undefined;
  if (isObject(answers)) {
    return Object.entries(answers).map(([question, answer]) => ({
      question,
      answer: textsIn(answer)
        .map(({ text }) => text)
        .join(', '),
    }));
  }
  const found = [...call.result.text.matchAll(/"([^"]{1,500})"="([^"]{1,300})"/g)];
  return found.map(([, question = '', answer = '']) => ({ question, answer }));
}
