import { evidenceCharsMax } from '#core/limits';
import { messageOf } from '#core/platform';
import { askedEvidence, type ClaimedPair, type Curable, type Edge, type Store } from '#memory/store';
import { type BatchRun, plain } from '#memory/summarise';
import { reasonWords } from './candidates.ts';
import type { Judge } from './judge.ts';
import type { AskedPair } from './question.ts';
import { named } from './rules/rule.ts';
import type { Judgement, Verdict, VerdictFailure } from './verdicts.ts';

export const pairAttemptsMax = 3;
export const askedPairsPassMax = 24;

/** The judge to ask, and when to stop. */
export interface Asking {
  readonly judge: Judge;
  /** Called before each question: true when other work is waiting. */
  readonly yields: () => boolean;
}

export interface Asked {
  /** Pairs that are settled, with or without an edge. */
  readonly settled: number;
  readonly edges: number;
  /** The outage that ended the pass. */
  readonly outage?: string;
}

/**
 * Asks about at most `askedPairsPassMax` pairs, the most important first. A pair without a sound answer is asked about
 * once per pass, and given up after `pairAttemptsMax` passes. An outage or a stop ends the pass and counts against no
 * pair.
 */
export async function askWaiting(work: BatchRun, { judge, yields }: Asking): Promise<Asked> {
  const { store, signal } = work;
  let settled = 0;
  let edges = 0;
  for (let left = askedPairsPassMax; left > 0 && !signal.aborted && !yields(); ) {
    const candidatePairs = store.candidatePairs.claim(Math.min(left, judge.pairsMax), Date.now());
    if (candidatePairs.length === 0) break;
    left -= candidatePairs.length;
    const questions = questionsOf(store, candidatePairs);
    const judgement = await asked(judge, questions, signal);
    if (judgement.kind === 'outage') {
      store.candidatePairs.release(candidatePairs);
      if (signal.aborted) break;
      return { settled, edges, outage: judgement.error };
    }
    for (const [index, question] of questions.entries()) {
      const given = judgement.kind === 'judged' ? judgement.verdicts[index] : judgement;
      const answer = given ?? { error: 'there was no answer for this pair' };
      const done = keep(work, question, answer, judge.model);
      settled += done.settled;
      edges += done.edges;
    }
  }
  return { settled, edges };
}

/** Whether a model wrote the evidence. */
export function isAsked(evidence: string): boolean {
  return evidence.startsWith(askedEvidence);
}

interface Question extends AskedPair {
  readonly pair: ClaimedPair;
  readonly older: Curable;
  readonly newer: Curable;
}

function questionsOf(store: Store, candidatePairs: readonly ClaimedPair[]): Question[] {
  const rows = store.subjects.curable([...new Set(candidatePairs.flatMap(({ from, to }) => [from, to]))]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return candidatePairs.flatMap((pair) => {
    const [newer, older] = [byId.get(pair.from), byId.get(pair.to)];
    return newer === undefined || older === undefined
      ? []
      : [{ pair, newer, older, why: reasonWords(pair.weight) }];
  });
}

async function asked(judge: Judge, questions: readonly Question[], signal: AbortSignal): Promise<Judgement> {
  if (questions.length === 0) return { kind: 'judged', verdicts: [] };
  try {
    return await judge.ask(questions, signal);
  } catch (error) {
    // A judge returns its failures. If it throws, its pairs must still be released.
    return { kind: 'outage', error: messageOf(error) };
  }
}

function keep(
  { store, report }: BatchRun,
  question: Question,
  answer: Verdict | VerdictFailure,
  model: string,
): { settled: number; edges: number } {
  const { pair } = question;
  if ('error' in answer) {
    if (store.candidatePairs.fail(pair, pairAttemptsMax)) {
      const { from, to } = pair;
      report('a pair of memories is not asked about again', { newer: from, older: to, reason: answer.error });
    }
    return { settled: 0, edges: 0 };
  }
  const isNew = store.candidatePairs.settle(pair, edgeOf(question, answer, model));
  return { settled: 1, edges: isNew ? 1 : 0 };
}

function edgeOf({ newer, older }: Question, { verdict, reason }: Verdict, model: string): Edge | null {
  if (verdict === 'neither') return null;
  const said = `${askedEvidence}${plain(model, modelCharsMax)}: ${named(newer)} ${verdict} ${named(older)}: ${reason}`;
  const evidence = plain(said, evidenceCharsMax);
  return { from: newer.id, to: older.id, kind: verdict, evidence, ts: newer.ts };
}

const modelCharsMax = 60;
