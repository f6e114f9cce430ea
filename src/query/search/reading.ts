import { intentOf, type Reading } from './intent.ts';
import { asksTalk, asksWishes } from './kinds.ts';
import { looksBack } from './looks-back.ts';

export function readQuery(query: string, isOnlyDate: boolean, hasMessages: boolean): Reading {
  const intent = intentOf(query);
  const isTalk = asksTalk(query, intent, hasMessages);
  const asks = { looksBack: looksBack(query), asksWishes: isTalk && asksWishes(query) };
  return { query, intent, isTalk, isOnlyDate, ...asks };
}
