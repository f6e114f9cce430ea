import { apiErrorLead, noteTool, type Payload } from '#core/event';
import {
  asksFor,
  asksIn,
  choiceAnswered,
  closingQuestion,
  decisionsIn,
  decisionsInPlan,
  isBareChoice,
  isCompaction,
  manualChecksIn,
  nextStepsIn,
  onlyAnswers,
  optionChosen,
  optionsIn,
  takenBack,
} from '#reading/talk';
import { clip, oneLine } from '#reading/text';
import type { Decision, Goal, Said } from './account.ts';
import { goalOf } from './goal.ts';
import { outcomeOf } from './outcome.ts';
import { type Asked, askedIn, lastRequest } from './requests.ts';
import { addsLittle, isPassedOver, isThanks, type Place, type Reply, type Turn } from './turn.ts';

const turnsMax = 500;
const textCharsMax = 12_000;
const decisionsMax = 40;
const questionCharsMax = 300;
const duringCharsMax = 300;
const bareOptionCharsMax = 40;
const errorCharsMax = 200;
const bareOption = /\boption (?:[a-z]|\d{1,2})[.!]?$/i;

/** What was said in a session, turn by turn. */
export class Conversation {
  readonly #turns: Turn[] = [];
  decisions: readonly Decision[] = [];
  /** What a plan leaves to a person. */
  manual: readonly Said[] = [];
  /** The API error behind which nothing was said or done. */
  error: Said | null = null;
  /** With which calls were refused: they are no requests. */
  readonly #refusals = new Set<string>();
  /** What was said behind the last call and the last prompt. */
  #closingWords: Reply[] = [];
  /** What the last call asks the user, who has not answered. */
  #asked: Said | null = null;
  #own = 0;
  #agents = 0;

  take({ output, message, isError, tool }: Payload, place: Place): void {
    // A note answers nothing.
    if (message === undefined || typeof output !== 'string' || tool === noteTool) return;
    // A subagent's prompt and report belong to the call that started it.
    if (message.agentId !== null) this.#agents += 1;
    else if (message.role === 'user') this.prompt(output, place);
    else if (isError) this.#failed(output, place);
    else if (output !== '' && !isCompaction(output))
      this.#reply({ ...place, text: output.slice(0, textCharsMax) });
  }

  #failed(output: string, place: Place): void {
    this.#own += 1;
    this.#turn(place);
    this.error = { seq: place.seq, text: oneLine(output.replace(apiErrorLead, ''), errorCharsMax) };
  }

  prompt(text: string, place: Place): void {
    const { seq } = place;
    this.#own += 1;
    this.error = this.#asked = null;
    this.#closingWords = [];
    if (this.#turns.length >= turnsMax || this.#refusals.has(text.trim())) return;
    const prompt = text.slice(0, textCharsMax);
    const reply = this.#turns.at(-1)?.reply?.text ?? '';
    const chosen = optionChosen(prompt, reply) ?? choiceAnswered(prompt, reply);
    if (chosen !== null) this.#keep(chosen, seq);
    const turn = this.#begin(prompt, place);
    // `I like option C` says nothing alone, and the option is a decision.
    if (chosen !== null && prompt.length <= bareOptionCharsMax) turn.asks = '';
    const back = takenBack(prompt);
    if (back !== null) {
      // What a plan decided holds no more once its work is taken back.
      this.decisions = this.decisions.filter(({ by }) => by !== 'plan');
      this.#keep(back, seq);
    }
    const manual = manualChecksIn(prompt);
    if (manual.length > 0) this.manual = manual.map((one) => ({ seq, text: one }));
    // Who speaks again has looked, or wants something else.
    else if (!goesOn.test(prompt)) this.manual = [];
    // A pasted plan is full of sentences that compare; it is the goal already.
    if (/^Implement the following plan:/.test(prompt))
      for (const words of decisionsInPlan(prompt)) this.#keep(words, seq, 'plan');
    else
      for (const words of decisionsIn(prompt)) {
        // `Let's go with option 1` says nothing without the option.
        if (!bareOption.test(words)) this.#keep(words, seq);
      }
  }

  #begin(prompt: string, place: Place): Turn {
    const turn: Turn = {
      ...place,
      ...{ prompt, asks: prompt === '' ? '' : asksIn(prompt), calls: 0, files: new Set<string>() },
      ...{ chose: '', acted: false, committed: false, reply: null, isOpen: false, plan: null },
    };
    this.#turns.push(turn);
    return turn;
  }

  #turn(place: Place): Turn {
    return this.#turns.at(-1) ?? this.#begin('', place);
  }

  #reply(reply: Reply): void {
    this.#own += 1;
    this.error = this.#asked = null;
    const turn = this.#turn(reply);
    // What is said of a notice, or only thanks, leaves what was said before.
    const isLess =
      aside.test(reply.text) ||
      (!turn.isOpen && turn.reply !== null && (isThanks(reply) || addsLittle(reply, turn.reply)));
    if (turn.reply === null || !isLess) turn.reply = reply;
    turn.isOpen = false;
    this.#closingWords.push(reply);
  }

  /** A call of the last turn. */
  called(
    place: Place,
    done: Pick<Turn, 'acted' | 'committed'> & { files: readonly string[]; plan: string | null; asks: string },
  ): void {
    const turn = this.#turn(place);
    this.error = null;
    this.#closingWords = [];
    this.#asked = done.asks === '' ? null : { seq: place.seq, text: clip(done.asks, questionCharsMax) };
    turn.calls += 1;
    for (const file of done.files) turn.files.add(file);
    turn.acted ||= done.acted;
    turn.committed ||= done.committed;
    turn.isOpen = true;
    turn.plan = done.plan === null ? null : { ...place, text: `Planned: ${done.plan}` };
  }

  /** A call wrote a file, as a later commit shows. */
  wrote(path: string, at: number): void {
    this.#turns.findLast((turn) => turn.at <= at)?.files.add(path);
  }

  /** A call that reports the work as done speaks for the turn. */
  completed(place: Place, text: string): void {
    if (text.trim() === '') return;
    const turn = this.#turn(place);
    turn.reply = { ...place, text: text.slice(0, textCharsMax) };
    this.#closingWords = [turn.reply];
    turn.isOpen = false;
  }

  /** The words may be recorded as a message too, before the call or after it. */
  refused(words: string): void {
    if (words === '') return;
    this.#refusals.add(words);
    const turn = this.#turns.findLast(({ prompt }) => prompt.trim() === words);
    if (turn !== undefined) Object.assign(turn, { prompt: '', asks: '' });
  }

  /** The user answered a question in the last turn. */
  chose(answer: string): void {
    const turn = this.#turns.at(-1);
    if (turn?.chose === '') turn.chose = answer;
  }

  #keep(text: string, seq: number, by: Decision['by'] = 'words'): void {
    if (this.decisions.length < decisionsMax && !this.decisions.some((one) => one.text === text))
      this.decisions = [...this.decisions, { seq, text, by, question: '' }];
  }

  isEmpty(): boolean {
    return this.#own === 0;
  }

  isOfAgent(): boolean {
    return this.#own === 0 && this.#agents > 0;
  }

  texts(): string[] {
    return [
      ...this.#turns.map(({ prompt }) => prompt),
      ...this.#turns.flatMap(({ reply }) => (reply === null ? [] : [reply.text])),
    ];
  }

  goal(): Goal | null {
    const turns = this.#turns.filter(({ prompt }) => prompt !== '');
    const heard = turns.filter((turn, at) => !isPassedOver(turn, turns[at + 1]));
    return goalOf(heard.map(({ seq, prompt, chose }) => ({ seq, text: prompt, chose })));
  }

  asked(): readonly Asked[] {
    return askedIn(this.#turns);
  }

  last(): Said | null {
    return lastRequest(this.#turns);
  }

  outcome(isChanged: (path: string) => boolean, asked: readonly Asked[]): ReturnType<typeof outcomeOf> {
    const last = this.#turns.at(-1);
    if (last?.plan == null) {
      const outcome = outcomeOf(this.#turns, isChanged, this.last());
      const by = asked.find(({ turns }) => turns.some(({ seq }) => seq === outcome?.request));
      return outcome && { ...outcome, request: by?.turn.seq ?? outcome.request };
    }
    const { seq, ts, text } = last.plan;
    return { seq, ts, text, short: text, request: last.seq, isEarlier: false };
  }

  /** What the last reply says is left to do. A later turn without a reply may have done it. */
  left(): Said[] {
    const turn = this.#closing();
    const { reply } = turn ?? {};
    if (reply == null || turn?.isOpen === true) return [];
    return nextStepsIn(reply.text).map((text) => ({ seq: reply.seq, text }));
  }

  /** The last turn that was asked for something or answered, if it has a reply. */
  #closing(): Turn | null {
    const last = this.#turns.at(-1);
    if (last === undefined) return null;
    if (last.reply !== null && !isThanks(last.reply)) return last;
    // `thanks`, and nothing after it.
    return last.calls === 0 && onlyAnswers(last.prompt) ? (this.#turns.at(-2) ?? null) : null;
  }

  question(): Said | null {
    if (this.#asked !== null) return this.#asked;
    for (const { seq, text: reply } of this.#closingWords.toReversed()) {
      const text = closingQuestion(reply, questionCharsMax);
      const options = isBareChoice(text) ? optionsIn(reply).join('; ') : '';
      if (text !== '') return { seq, text: options === '' ? text : `${text} (${options})` };
    }
    return null;
  }

  /** The last request and the last words, when it ends in the middle of the work for it. */
  during(): Said[] {
    const last = this.#turns.at(-1);
    if (
      last === undefined ||
      last.asks === '' ||
      last.committed ||
      last.plan !== null ||
      !asksFor(last.prompt)
    )
      return [];
    // A line above a piece of code is an answer with it.
    const isAnswer = ({ text }: Reply): boolean => text.includes('```');
    if (last.reply !== null && !last.isOpen && (!isThanks(last.reply) || isAnswer(last.reply))) return [];
    const { reply, seq, asks } = last;
    const words = reply?.text.trim() ?? '';
    const isShort = words !== '' && words.length <= duringCharsMax;
    return [
      { seq, text: asks },
      ...(isShort && reply !== null ? [{ seq: reply.seq, text: `“${words}”` }] : []),
    ];
  }

  /** The replies after an event. */
  repliesAfter(at: number): readonly Said[] {
    return this.#turns.flatMap(({ reply }) => (reply !== null && reply.at > at ? [reply] : []));
  }

  /** Whether work was asked for and done in a turn after an event. */
  workedAfter(at: number): boolean {
    return this.#turns.some((turn) => turn.at > at && turn.asks !== '' && turn.files.size > 0);
  }
}

/** An answer to the notice of work in the background that was waited for already. */
const aside =
  /^that(?:['’]s| was| is) (?:just )?(?:the|an?) (?:\w+ ){0,3}(?:notification|notice|background (?:task|command|run))\b|^(?:the )?background (?:\w+ ){1,3}(?:complet|finish|exit|end)ed\b/i;
/** The work just goes on: nobody has looked. */
const goesOn = /^(?:please )?(?:continue|go on|proceed|resume|keep going)\b/i;
