import { noteTool, type Payload } from '#core/event';
import { summaryCharsMax } from '#core/limits';
import { oneLine } from '#core/text';
import { notIndexed } from '#memory/store';
import { leadOf, noteLead, onlyAnswers } from '#reading/talk';
import { clip } from '#reading/text';
import type { SummaryDraft } from './backend.ts';

/**
 * The draft of any backend as it is stored. That of a message says who spoke; a prompt that only answers gets the mark that keeps it
 * out of the index.
 */
export function asStored(payload: Payload, { text, terms }: SummaryDraft): SummaryDraft {
  const { message, output, tool, client } = payload;
  if (message === undefined) return { text: text.slice(0, summaryCharsMax), terms: unmarked(terms) };
  if (tool === noteTool) {
    // In its own words, by any summariser.
    const note = oneLine(typeof output === 'string' ? output : JSON.stringify(output), Infinity);
    return { text: clip(`${noteLead(message.role, client)}${note}`, summaryCharsMax), terms: '' };
  }
  const lead = leadOf(message.role);
  const words = text.startsWith(lead.trim()) ? text : `${lead}${text}`;
  const isAnswer = message.role === 'user' && typeof output === 'string' && onlyAnswers(output);
  return { text: words.slice(0, summaryCharsMax), terms: isAnswer ? notIndexed : unmarked(terms) };
}

/** A model may write the mark by chance. */
function unmarked(terms: string): string {
  return terms === notIndexed ? '' : terms;
}
