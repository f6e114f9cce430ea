import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '#core/event';

/**
 * What each client sends at each of its hook events: a file an event, in it one payload for each kind that was recorded (a
 * tool, an agent's call). The keys and types are those of recorded payloads, the values made up; Cursor's are after its
 * documentation. `-pascal` is Copilot CLI with hooks named in PascalCase, `-plugin` Claude Code with hooks of a plugin.
 */
export interface ClientPayload {
  readonly folder: string;
  /** The name that a hook is installed with, and that is stored. */
  readonly client: string;
  readonly event: string;
  readonly kind: string;
  /** `folder/event/kind` */
  readonly name: string;
  readonly payload: JsonObject;
}

const folders = fileURLToPath(new URL('./client-payloads', import.meta.url));

export const clientPayloads: readonly ClientPayload[] = fs.readdirSync(folders).flatMap((folder) =>
  fs.readdirSync(`${folders}/${folder}`).flatMap((file) => {
    const event = file.replace(/\.json$/, '');
    const kinds: Readonly<Record<string, JsonObject>> = JSON.parse(
      fs.readFileSync(`${folders}/${folder}/${file}`, 'utf8'),
    );
    return Object.entries(kinds).map(([kind, payload]) => ({
      ...{ folder, event, kind, payload },
      client: folder.replace(/-(?:pascal|plugin)$/, ''),
      name: `${folder}/${event}/${kind}`,
    }));
  }),
);

/** One payload an event of each client. */
export const oneAnEvent: readonly ClientPayload[] = clientPayloads.filter(
  ({ folder, event }, at) =>
    clientPayloads.findIndex((one) => one.folder === folder && one.event === event) === at,
);

/** Those that `isWanted`, and of each client one that is not: what a hook that acts on few events is tried with. */
export function withOneOther(isWanted: (payload: ClientPayload) => boolean): readonly ClientPayload[] {
  const others = oneAnEvent.filter((one) => !isWanted(one));
  const first = others.filter(({ folder }, at) => others.findIndex((one) => one.folder === folder) === at);
  return [...clientPayloads.filter(isWanted), ...first];
}

/** The payload as it would have been sent from `project`. */
export function sentFrom(project: string, { payload }: ClientPayload): string {
  return JSON.stringify(payload)
    .replaceAll('/home/ada/old mill', project)
    .replaceAll('/home/ada/mill', project);
}
