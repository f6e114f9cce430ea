import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Json, JsonObject, Observation } from '#core/event';
import { findSessions } from '../../../src/capture/clients/find-sessions.ts';

type Env = Readonly<Record<string, string>>;

/** A home folder in which assistants have left something, and the project `src` in it. */
export class LeftHome {
  readonly home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-places-')));
  readonly root = path.join(this.home, 'src');

  remove(): void {
    fs.rmSync(this.home, { recursive: true, force: true });
  }

  /** `belongs` stands for the workspace's rule: the root and what is below it, but for a repository of its own in there. */
  find(env: Env = {}) {
    const { root, home } = this;
    const belongs = (cwd: string): boolean =>
      cwd === root || (cwd.startsWith(`${root}/`) && !cwd.startsWith(`${root}/nested`));
    return findSessions({ root, home, env, belongs });
  }

  write(file: string, content: string | Buffer | readonly Json[]): string {
    const target = path.join(this.home, file);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    const isText = typeof content === 'string' || Buffer.isBuffer(content);
    fs.writeFileSync(target, isText ? content : content.map((one) => `${JSON.stringify(one)}\n`).join(''));
    return target;
  }

  /** The found files below the home folder, by client, sorted. */
  async found(env: Env = {}): Promise<Record<string, string[]>> {
    const { transcripts, close } = await this.find(env);
    close?.();
    const named: Record<string, string[]> = {};
    for (const { client, name } of transcripts)
      named[client] = [...(named[client] ?? []), path.relative(this.home, name)].sort();
    return named;
  }

  async read(env: Env = {}): Promise<Observation[]> {
    const { transcripts, close } = await this.find(env);
    const observations: Observation[] = [];
    for (const transcript of transcripts) {
      await transcript.read((item) => {
        if (item.kind === 'observation') observations.push(item.observation);
      });
    }
    close?.();
    return observations;
  }
}

/** A path as a folder's name. */
export function dashed(cwd: string): string {
  return cwd.replace(/[^a-zA-Z0-9]/g, '-');
}

/** A record of Claude Code's. */
export function userIn(cwd: string): JsonObject {
  return { type: 'user', cwd, sessionId: 's', message: { content: 'hello' } };
}
