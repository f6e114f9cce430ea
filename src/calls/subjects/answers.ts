import { isObject, own } from '../../core/event/index.ts';
import { type Call, textsIn } from '../call/index.ts';

/** Each question with its answer, where the client tells them apart. */
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
  const told = [...call.result.text.matchAll(/"([^"]{1,500})"="([^"]{1,300})"/g)];
  return told.map(([, question = '', answer = '']) => ({ question, answer }));
}
