import { isObject, own, parseObject } from '../../core/event/index.ts';
import { argument, type Call, textsIn } from '../call/index.ts';

/** Each question with its answer, where the client separates them. */
export function answersIn(call: Call): readonly { readonly question: string; readonly answer: string }[] {
  // Codex gives JSON text, by the question's id.
  const output = typeof call.output === 'string' ? parseObject(call.output) : call.output;
  const answers = isObject(output) ? own(output, 'answers') : undefined;
  const annotations = isObject(output) ? own(output, 'annotations') : undefined;
  if (isObject(answers)) {
    return Object.entries(answers).map(([key, answer]) => {
      const questions = own(call.input, 'questions');
      const asked = Array.isArray(questions)
        ? questions.find((one) => isObject(one) && one.id === key)
        : null;
      const said = isObject(asked) ? asked.question : null;
      const question = typeof said === 'string' ? said : key;
      const noted = isObject(annotations) ? own(annotations, key) : undefined;
      const notes = isObject(noted) && answer === '(notes only)' ? own(noted, 'notes') : undefined;
      return {
        question,
        answer: textsIn(notes ?? answer)
          .map(({ text }) => text)
          .join(', '),
      };
    });
  }
  // Copilot CLI.
  const [, chosen] =
    /^User (?:selected|responded): (?!The user is not available)(.+)$/m.exec(call.result.text) ?? [];
  if (chosen !== undefined)
    return [
      { question: argument(call, 'question'), answer: chosen.replace(/ \(Recommended\)$/, '').slice(0, 300) },
    ];
  const found = [...call.result.text.matchAll(/"([^"]{1,500})"="([^"]{1,300})"/g)];
  return found.map(([, question = '', answer = '']) => ({ question, answer }));
}
