import { isDeepStrictEqual } from 'node:util';
import { type OwnHook, ownHook } from './hooks.ts';
import type { HooksPart } from './part.ts';
import { JsonFile } from './text/json-file.ts';

/** One of our hooks in a file. */
export interface InstalledHook extends OwnHook {
  readonly event: string;
  /** Its element in the event's list, and its handler in that group; null if the whole element is ours. */
  readonly index: number;
  readonly handler: number | null;
  readonly element: unknown;
}

export function findHooks(part: HooksPart, text: string | null): InstalledHook[] {
  return hooksIn(new JsonFile(text, part.file, part.isLooseAllowed));
}

/** Replaces our hooks in place, by event and program; removes surplus ones and appends missing ones. This also updates those of an older memd. */
export function putHooks(part: HooksPart, text: string | null): string | null {
  const file = new JsonFile(text, part.file, part.isLooseAllowed);
  const hadHooks = file.value('hooks') !== undefined;
  const due = [...part.hooks];
  const kept = new Set<string>();
  for (const hook of hooksIn(file)) {
    const at = due.findIndex(({ event, value }) => event === hook.event && programIn(value) === hook.program);
    if (at === -1 || hook.handler !== null) continue;
    const [wanted] = due.splice(at, 1);
    const path = ['hooks', hook.event, hook.index] as const;
    if (wanted !== undefined && !isDeepStrictEqual(wanted.value, hook.element))
      file.replace(path, wanted.value);
    kept.add(path.join('/'));
  }
  // From the last on, so that the indices of the others stay valid.
  for (const hook of hooksIn(file).reverse()) {
    if (!kept.has(['hooks', hook.event, hook.index].join('/'))) takeHook(file, hook);
  }
  for (const { event, value } of due) file.add(['hooks', event], value);
  // A file that had hooks without a version is left to its owner.
  if (part.hasVersion && !hadHooks && file.value('version') === undefined) file.put(['version'], 1);
  return file.text;
}

/** Removes our hooks, and the lists and objects that were made for them. */
export function takeHooks(part: HooksPart, text: string): string | null {
  const file = new JsonFile(text, part.file, part.isLooseAllowed);
  const names = file.members();
  // memd appends the version after the hooks.
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
  for (const hook of hooksIn(file).reverse()) takeHook(file, hook);
  return file.text;
}

function takeHook(file: JsonFile, { event, index, handler }: InstalledHook): void {
  file.take(['hooks', event, index, ...(handler === null ? [] : ['hooks', handler])]);
}

function hooksIn(file: JsonFile): InstalledHook[] {
  return file.members('hooks').flatMap((event) => {
    // Some clients have other settings among the events.
    const list = file.value('hooks', event);
    return Array.isArray(list) ? list.flatMap((element, index) => hooksOf(element, event, index)) : [];
  });
}

function hooksOf(element: unknown, event: string, index: number): InstalledHook[] {
  const handlers = handlersOf(element);
  const own = handlers.flatMap((one, handler) => {
    const hook = ownHook(one);
    return hook === null ? [] : [{ ...hook, event, index, handler, element }];
  });
  if (own.length === 0 || own.length < handlers.length) return own;
  return own.slice(0, 1).map((hook) => ({ ...hook, handler: null }));
}

/** The handlers of a group, or the element itself. */
function handlersOf(element: unknown): readonly unknown[] {
  if (typeof element !== 'object' || element === null) return [];
  return 'hooks' in element && Array.isArray(element.hooks) ? element.hooks : [element];
}

function programIn(value: unknown): string | undefined {
  return ownHook(handlersOf(value)[0])?.program;
}
