/** Whether a user's message only answers what was asked (`yes`, `go on`, `2`): without its turn it says nothing. */
export function onlyAnswers(message: string): boolean {
  if (message.length > answerCharsMax) return false;
  const words = message.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? [];
  return (
    words.length <= answerWordsMax &&
    words.every((word) => answers.has(word) || /^(?:\d{1,2}|[a-z])$/.test(word))
  );
}

const answerCharsMax = 80;
const answerWordsMax = 8;

const answers = new Set(
  (
    'yes yep yeah yup yea no nope ok okay okey sure go on ahead continue proceed do it that this so please thanks thank you thx ' +
    'great perfect good nice cool fine right correct exactly sounds looks lgtm approved agreed accept accepted done and now then commit push ' +
    "just all both them agree with option the is let's lets start keep going resume again try retry retest " +
    'oui non ja nein si sí vas-y vas y allez continuez merci genau weiter bitte danke gracias claro vale sigue adelante sim não ' +
    '好 好的 是 是的 可以 继续 はい いいえ 続けて 네 да нет хорошо'
  ).split(' '),
);
