import { isDeepStrictEqual } from 'node:util';
import type { HooksPart } from './assistant.ts';
import { type OwnHook, ownHook } from './hooks.ts';
import { JsonFile } from './text/json-file.ts';

/** One of our hooks in a file. */
export interface FoundHook extends OwnHook {
  readonly event: string;
  /** The element of the event's list that it is in, and its place among the handlers of that group; null when all of the element is ours. */
  readonly index: number;
  readonly handler: number | null;
  readonly element: unknown;
}

/** Our hooks in a file of hooks, in its order. */
export function findHooks(part: HooksPart, text: string | null): FoundHook[] {
  return hooksIn(new JsonFile(text, part.file, part.isLooseAllowed));
}

/**
 * The text with the part's hooks in it. Ours are replaced where they stand, one for one by event and program; what is too much goes, what
 * is missing comes last. So an older memd's are brought up to date, and nothing is there twice.
 */
export function putHooks(part: HooksPart, text: string | null): string | null {
  const file = new JsonFile(text, part.file, part.isLooseAllowed);
  const hadHooks = file.value('hooks') !== undefined;
  const due = [...part.hooks];
  const kept = new Set<string>();
  for (const found of hooksIn(file)) {
    const at = due.findIndex(
      ({ event, value }) => event === found.event && programIn(value) === found.program,
    );
    if (at === -1 || found.handler !== null) continue;
    const [wanted] = due.splice(at, 1);
    const path = ['hooks', found.event, found.index] as const;
    if (wanted !== undefined && !isDeepStrictEqual(wanted.value, found.element))
      file.replace(path, wanted.value);
    kept.add(path.join('/'));
  }
  // From the last on, so that the numbers of those before stay as they are.
  for (const found of hooksIn(file).reverse()) {
    if (!kept.has(['hooks', found.event, found.index].join('/'))) takeHook(file, found);
  }
  for (const { event, value } of due) file.add(['hooks', event], value);
  // A file that has hooks and no version is its owner's to complete.
  if (part.hasVersion && !hadHooks && file.value('version') === undefined) file.put(['version'], 1);
  return file.text;
}

/** The text without our hooks, and without the lists and objects that were made for them. */
export function takeHooks(part: HooksPart, text: string): string | null {
  const file = new JsonFile(text, part.file, part.isLooseAllowed);
  const names = file.members();
  // What was written with the hooks stands behind them; a version that was there before stands in front.
  const isVersionOurs =
    part.hasVersion && names.indexOf('version') > names.indexOf('hooks') && file.value('version') === 1;
  if (!isVersionOurs) return withoutHooks(file);
  const whole = new JsonFile(text, part.file, part.isLooseAllowed);
  whole.take(['version']);
  const left = withoutHooks(whole);
  const isGone =
    left === null || new JsonFile(left, part.file, part.isLooseAllowed).value('hooks') === undefined;
  return isGone && findHooks(part, text).length > 0 ? left : withoutHooks(file);
}

function withoutHooks(file: JsonFile): string | null {
  for (const found of hooksIn(file).reverse()) takeHook(file, found);
  return file.text;
}

function takeHook(file: JsonFile, { event, index, handler }: FoundHook): void {
  file.take(['hooks', event, index, ...(handler === null ? [] : ['hooks', handler])]);
}

function hooksIn(file: JsonFile): FoundHook[] {
  return file.members('hooks').flatMap((event) => {
    // Some clients keep settings of their own among the events.
    const list = file.value('hooks', event);
    return Array.isArray(list) ? list.flatMap((element, index) => hooksOf(element, event, index)) : [];
  });
}

function hooksOf(element: unknown, event: string, index: number): FoundHook[] {
  const handlers = handlersOf(element);
  const own = handlers.flatMap((one, handler) => {
    const hook = ownHook(one);
    return hook === null ? [] : [{ ...hook, event, index, handler, element }];
  });
  if (own.length === 0 || own.length < handlers.length) return own;
  return own.slice(0, 1).map((hook) => ({ ...hook, handler: null }));
}

/** What an element of an event's list runs: itself, or the handlers of its group. */
function handlersOf(element: unknown): readonly unknown[] {
  if (typeof element !== 'object' || element === null) return [];
  return 'hooks' in element && Array.isArray(element.hooks) ? element.hooks : [element];
}

function programIn(value: unknown): string | undefined {
  return ownHook(handlersOf(value)[0])?.program;
}
