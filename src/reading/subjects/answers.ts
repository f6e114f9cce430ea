import { isObject, type Json, own, parseObject } from '#core/event';
import { argument, type Call, textsIn } from '#reading/call';

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

/** Each question with what it offered; the answer is empty where there is none. */
export function questionsIn(call: Call): readonly {
  readonly question: string;
  readonly offered: readonly string[];
  readonly answer: string;
}[] {
  const given = answersIn(call);
  const several = own(call.input, 'questions');
  const asked = (Array.isArray(several) ? several : [call.input]).filter((one) => isObject(one));
  return asked.flatMap((one) => {
    const question = own(one, 'question');
    if (typeof question !== 'string') return [];
    const ofIt = given.find((each) => each.question === question);
    const answer = (ofIt ?? (asked.length === 1 ? given[0] : undefined))?.answer ?? '';
    return [{ question, offered: labelsIn(own(one, 'options') ?? own(one, 'choices') ?? null), answer }];
  });
}

function labelsIn(options: Json): string[] {
  if (!Array.isArray(options)) return [];
  return options.flatMap((option) => {
    const label = isObject(option) ? own(option, 'label') : option;
    return typeof label === 'string' ? [label] : [];
  });
}
