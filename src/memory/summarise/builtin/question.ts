import { isObject, parseObject } from '#core/event';
import { argument, type Call, objectsAt, textAt, textsIn } from '#reading/call';
import { answersIn } from '#reading/subjects';
import { listed, oneLine, plainLines, quoted } from '#reading/text';
import { type Account, failure } from './account.ts';

/** A question to the user and the answer: a decision. */
export function questionAccount(call: Call): Account {
  const questions = objectsAt(call.input, 'questions', 'items');
  const single = argument(call, 'question', 'message', 'prompt', 'query', 'input');
  const asked =
    questions.length > 0 ? questions.map((item) => textAt(item, 'question', 'text', 'header')) : [single];
  const options = [...questions, call.input].flatMap((item) =>
    objectsAt(item, 'options', 'choices').map((option) => textAt(option, 'label', 'value', 'text')),
  );
  const texts = textsIn(call.input).map(({ text }) => text);
  const terms = [asked.join('\n'), options.join('\n'), texts.join('\n')];
  const short = asked.map((text) => oneLine(text, 160));
  const question = `Asked the user: ${listed(short, 260, ' | ')}`;
  if (call.result.failed) return { text: `failed: ${question}: ${failure(call.result, 160).reason}`, terms };
  const answer = answerOf(call);
  const labels = options.map((label) => quoted(label, 40));
  const among = labels.length > 0 ? ` (offered: ${listed(labels, 140)})` : '';
  return { text: `Decision: ${answer === '' ? 'no answer' : answer}. ${question}${among}`, terms };
}

function answerOf(call: Call): string {
  const given = answersIn(call).map(({ answer }) => oneLine(answer, 300));
  if (given.length > 0) return listed(given, 300, ' | ');
  const text = plainLines(call.result.text).join(' ');
  // Codex, when the user closes the question.
  return isObject(parseObject(text)?.['answers']) ? '' : oneLine(text, 300);
}
