import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { isObject, type Json, type JsonObject, stringAt } from '#core/event';
import type { Trial } from './trial.ts';

/**
 * What a person does by `/hooks` in Codex: looks at the hooks and trusts them all. Its own protocol for that, as its terminal
 * speaks it: `codex app-server` lists each hook with its hash, and writes the hash into `config.toml` as trusted.
 */
export async function trustHooks(trial: Trial): Promise<void> {
  const server = spawn(trial.program, ['app-server'], { cwd: trial.home.project, env: trial.env() });
  try {
    server.stderr.resume();
    const replies = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    const ask = async (id: number, method: string, params: JsonObject): Promise<JsonObject> => {
      server.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
      for (;;) {
        const { value, done } = await replies.next();
        if (done === true) throw new Error(`codex app-server ended before it answered ${method}`);
        const message: Json = JSON.parse(value);
        if (!isObject(message) || message.id !== id) continue;
        if (!isObject(message.result)) throw new Error(`${method}: ${value}`);
        return message.result;
      }
    };
    await ask(1, 'initialize', { clientInfo: { name: 'memd-test', version: '1' } });
    server.stdin.write(`${JSON.stringify({ method: 'initialized' })}\n`);
    const { data } = await ask(2, 'hooks/list', { cwds: [trial.home.project] });
    const state = Object.fromEntries(
      objectsOf(data)
        .flatMap(({ hooks }) => objectsOf(hooks))
        .map((hook) => [stringAt(hook, 'key') ?? '', { trusted_hash: stringAt(hook, 'currentHash') ?? '' }]),
    );
    const edits = [{ keyPath: 'hooks.state', mergeStrategy: 'upsert', value: state }];
    await ask(3, 'config/batchWrite', { edits, reloadUserConfig: true });
  } finally {
    server.kill('SIGKILL');
  }
}

function objectsOf(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
