import type { Payload, ToolFamily } from '#core/event';
import { type Call, familyOf, readCall } from '#reading/call';
import { clip, relativePaths } from '#reading/text';
import type { SummaryDraft } from '../backend.ts';
import type { Account } from './account.ts';
import { agentAccount } from './agent.ts';
import { commandAccount } from './command.ts';
import { editAccount } from './edit.ts';
import { otherAccount } from './other.ts';
import { planAccount } from './plan.ts';
import { questionAccount } from './question.ts';
import { readAccount } from './read.ts';
import { searchAccount } from './search.ts';
import { webAccount } from './web.ts';
import { termsFrom } from './words.ts';

const accounts: Readonly<Record<ToolFamily, (call: Call) => Account>> = {
  command: commandAccount,
  edit: editAccount,
  read: readAccount,
  search: searchAccount,
  web: webAccount,
  agent: agentAccount,
  plan: planAccount,
  question: questionAccount,
  other: otherAccount,
};

const draftCharsMax = 936;

/** The draft of one event. Never fails. */
export function draftSummary(payload: Payload): SummaryDraft {
  const call = readCall(payload);
  const account = accounts[familyOf(call)](call);
  const lead = payload.unfinished ? 'no result recorded: ' : '';
  const body = `${lead}${relativePaths(account.text, call.cwd)}`.replace(/\s+/g, ' ').trim();
  const text = clip(body, draftCharsMax);
  // Without the family's name, which is in every second memory: with it Hit@5 of prompt queries falls from .422 to .414.
  return { text, terms: termsFrom(account.terms) };
}
