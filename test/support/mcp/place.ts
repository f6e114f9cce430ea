import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { JsonObject } from '#core/event';
import { type RpcServer, serve } from '#core/rpc';
import { ensureFolders, findWorkspace } from '#core/workspace';
import { serveMcp } from '../../../src/surfaces/mcp/serve.ts';
import { TestClient } from './client.ts';

interface Connection {
  readonly client: TestClient;
  /** The client leaves, and the server ends by that. */
  readonly leave: () => Promise<void>;
}

/** A temporary HOME with a project, a server at work there, and a daemon of which a test decides what it answers. */
export class Place {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-mcp-')));
  readonly cwd = path.join(this.folder, 'project');
  readonly env: Record<string, string> = { HOME: this.folder };
  /** What the daemon was asked. */
  readonly asked: JsonObject[] = [];
  /** What went to stderr. */
  readonly logged: string[] = [];
  readonly #connections: Connection[] = [];
  #daemon: RpcServer | null = null;

  constructor() {
    fs.mkdirSync(this.cwd);
  }

  /** As after `memd init`. */
  begin(): void {
    ensureFolders(findWorkspace(this.env, this.cwd));
  }

  async withDaemon(answer: (request: JsonObject) => Promise<JsonObject>): Promise<void> {
    this.begin();
    this.#daemon = await serve({
      socket: findWorkspace(this.env, this.cwd).socket,
      handle: async (request) => {
        if (request.op === 'ping' || request.op === 'given') return {};
        this.asked.push(request);
        return answer(request);
      },
      large: async () => ({ reply: {} }),
      internal: (error) => {
        throw error;
      },
    });
  }

  /** `program`, a file of the folder, stands for `memd`. */
  connect({ program = 'no-such-program.cjs', answerMs = 20_000 } = {}): Connection {
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const served = serveMcp({
      env: this.env,
      cwd: this.cwd,
      program: pathToFileURL(path.join(this.folder, program)),
      version: '1.2.3',
      stdin,
      stdout,
      log: (line) => void this.logged.push(line),
      answerMs,
    });
    const client = new TestClient(stdin, stdout);
    const leave = (): Promise<void> => {
      client.end();
      return served;
    };
    this.#connections.push({ client, leave });
    return { client, leave };
  }

  async remove(): Promise<void> {
    for (const { leave } of this.#connections) await leave();
    await this.#daemon?.close();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}
