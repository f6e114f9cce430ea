import type { ToolEvent } from '#core/event';

/** Calls of one session, a minute apart, as `claude-code` records them. */
export class Calls {
  readonly events: ToolEvent[] = [];
  readonly #session: string;

  constructor(session = 's1') {
    this.#session = session;
  }

  run(command: string, output = 'ok', isError = false): this {
    const result = isError ? `Exit code 1\n${output}` : { stdout: output, stderr: '', interrupted: false };
    return this.#add('Bash', { command }, result, isError);
  }

  edit(path: string, before: string, after: string): this {
    const input = { file_path: `/p/${path}`, old_string: before, new_string: after };
    return this.#add('Edit', input, { filePath: `/p/${path}`, oldString: before, newString: after });
  }

  write(path: string, content: string): this {
    const input = { file_path: `/p/${path}`, content };
    return this.#add('Write', input, { type: 'create', filePath: `/p/${path}`, content });
  }

  fail(tool: string, input: ToolEvent['input'], said: string): this {
    return this.#add(tool, input, said, true);
  }

  read(path: string): this {
    return this.#add(
      'Read',
      { file_path: `/p/${path}` },
      { type: 'text', file: { content: 'rye', numLines: 1 } },
    );
  }

  ask(question: string, answer: string): this {
    return this.#add(
      'AskUserQuestion',
      { questions: [{ question, options: [{ label: answer }] }] },
      { answers: { [question]: answer } },
    );
  }

  /** Copilot CLI's report of what was done. */
  report(summary: string): this {
    return this.#add('task_complete', { summary }, summary);
  }

  agent(type: string, description: string): this {
    return this.#add('Task', { subagent_type: type, description, prompt: description }, 'Done.');
  }

  plan(plan: string): this {
    return this.#add('ExitPlanMode', { plan }, 'User has approved your plan.');
  }

  steps(done: number, ...names: string[]): this {
    return this.todos(...names.map((content, at) => [content, at < done ? 'completed' : 'pending'] as const));
  }

  todos(...of: readonly (readonly [content: string, status: string])[]): this {
    const todos = of.map(([content, status]) => ({ content, status }));
    return this.#add('TodoWrite', { todos }, { oldTodos: [] });
  }

  task(id: number, subject: string, status = 'pending'): this {
    if (status === 'pending') return this.#add('TaskCreate', { subject }, { task: { id: `${id}`, subject } });
    return this.#add('TaskUpdate', { taskId: `${id}`, status }, { success: true });
  }

  refuse(command: string, words = ''): this {
    const said = words === '' ? '' : ` To tell you how to proceed, the user said:\n${words}`;
    const output = `The user doesn't want to proceed with this tool use. The tool use was rejected.${said}`;
    return this.#add('Bash', { command }, output, true);
  }

  #add(tool: string, input: ToolEvent['input'], output: ToolEvent['output'], isError = false): this {
    const at = this.events.length;
    this.events.push({
      id: `ev_${this.#session}_${at}`,
      tool,
      input,
      output,
      sessionId: this.#session,
      toolUseId: `call_${at}`,
      ts: new Date(Date.UTC(2026, 0, 1, 12, at)).toISOString(),
      client: 'claude-code',
      isError,
      cwd: '/p',
    });
    return this;
  }
}
