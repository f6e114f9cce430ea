/**
 * One written call -> `{tool, input, output}` in the shape the session's assistant sends. A call is written once, in Claude
 * Code's terms; the other assistants have other tool names, other fields and other frames around an output.
 */

export function shape(agent, call, cwd) {
  const kind = call.tool.startsWith('mcp__') ? 'Mcp' : call.tool;
  const plain = written[kind]?.(call, cwd);
  if (!plain) throw new Error(`no shape for ${call.tool}`);
  const shaped = dialects[agent]?.[kind]?.(call, { cwd, input: plain.input });
  const { tool, input, output } = { tool: call.tool, ...plain, ...shaped };
  return { tool, input, output: call.failed && agent === 'claude-code' ? `Exit code 1\n${output}` : output };
}

/** The text of an Edit's lines without and with the change. */
function sides(lines) {
  const side = (sign) =>
    lines
      .filter((line) => line[0] === ' ' || line[0] === sign)
      .map((line) => line.slice(1))
      .join('\n');
  return { before: side('-'), after: side('+') };
}

function numbered(text, first, separator = '→') {
  return text
    .split('\n')
    .map((line, index) => `${String(first + index).padStart(6)}${separator}${line}`)
    .join('\n');
}

/** A stable made-up place for an edit, so that its echo has line numbers. */
function placeOf(call) {
  return ((call.subject.length * 7 + call.lines.length * 13) % 90) + 2;
}

function readParts(call) {
  const [path, first] = call.subject.split('|').map((part) => part.trim());
  return { path, first: Number(first ?? 1), text: call.lines.join('\n'), count: call.lines.length };
}

/** A read from the top names no range. */
function rangeOf(call) {
  const { first, count } = readParts(call);
  return first > 1 ? { offset: first, limit: count } : {};
}

const patch = (call) =>
  `*** Begin Patch\n*** Update File: ${call.subject}\n@@\n${call.lines.join('\n')}\n*** End Patch`;
const newFile = (call) =>
  `*** Begin Patch\n*** Add File: ${call.subject}\n${call.lines.map((line) => `+${line}`).join('\n')}\n*** End Patch`;

/** Claude Code's shapes, `(call, cwd)`; also what an assistant without an entry of its own below is given. */
const written = {
  Bash: (call) => ({ input: { command: call.input.join('\n') }, output: call.lines.join('\n') }),
  Read(call, cwd) {
    const { path, first, text } = readParts(call);
    return { input: { file_path: `${cwd}/${path}`, ...rangeOf(call) }, output: numbered(text, first) };
  },
  Edit(call, cwd) {
    const { before, after } = sides(call.lines);
    const path = `${cwd}/${call.subject}`;
    return {
      input: { replace_all: false, file_path: path, old_string: before, new_string: after },
      output: `The file ${path} has been updated. Here's the result of running \`cat -n\` on a snippet of the edited file:\n${numbered(after, placeOf(call))}`,
    };
  },
  Write(call, cwd) {
    const path = `${cwd}/${call.subject}`;
    return {
      input: { file_path: path, content: call.lines.join('\n') },
      output: `File created successfully at: ${path}`,
    };
  },
  Grep: (call) => ({
    input: { pattern: call.subject, path: call.input[0], output_mode: 'content', '-n': true },
    output: call.lines.join('\n'),
  }),
  Glob: (call, cwd) => ({
    input: { pattern: call.subject },
    output: call.lines.map((line) => `${cwd}/${line}`).join('\n'),
  }),
  WebSearch: (call) => ({ input: { query: call.input[0] }, output: call.lines.join('\n') }),
  WebFetch: (call) => ({
    input: { url: call.input[0], prompt: call.input[1] },
    output: call.lines.join('\n'),
  }),
  AskUserQuestion(call) {
    const [question, ...options] = call.input[0].split(' | ');
    return {
      input: { questions: [{ question, multiSelect: false, options: options.map((label) => ({ label })) }] },
      output: call.lines.join('\n'),
    };
  },
  TodoWrite(call) {
    const states = { '[x]': 'completed', '[~]': 'in_progress', '[ ]': 'pending' };
    const todos = call.lines.map((line) => ({ content: line.slice(4), status: states[line.slice(0, 3)] }));
    return {
      input: { todos },
      output:
        'Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress.',
    };
  },
  Task: (call) => ({
    input: { description: call.subject, subagent_type: 'Explore', prompt: call.input[0] },
    output: call.lines.join('\n'),
  }),
  Mcp: (call) => ({ input: JSON.parse(call.input[0]), output: call.lines.join('\n') }),
};

const codexOutput = (call) =>
  `Exit code: ${call.failed ? 1 : 0}\nWall time: 0.${call.lines.length % 10} seconds\nOutput:\n${call.lines.join('\n')}`;
const codexShell = (command, call) => ({
  tool: 'shell',
  input: { command: ['bash', '-lc', command] },
  output: codexOutput(call),
});
const geminiPath = (call, cwd) => `${cwd}/${readParts(call).path}`;

/** What differs elsewhere, `(call, {cwd, input as Claude Code has it})`. */
const dialects = {
  codex: {
    Bash: (call) => codexShell(call.input.join('\n'), call),
    Read(call) {
      const { path, first, count } = readParts(call);
      return codexShell(`sed -n '${first},${first + count - 1}p' ${path}`, call);
    },
    Grep: (call) => codexShell(`rg -n "${call.subject}" ${call.input[0]}`, call),
    Glob: (call) => codexShell(`rg --files -g '${call.subject}'`, call),
    Edit: (call) => ({
      tool: 'apply_patch',
      input: { command: patch(call) },
      output: `Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nM ${call.subject}\n`,
    }),
    Write: (call) => ({
      tool: 'apply_patch',
      input: { command: newFile(call) },
      output: `Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nA ${call.subject}\n`,
    }),
    TodoWrite: (call) => ({
      tool: 'update_plan',
      input: {
        plan: call.lines.map((line) => ({
          step: line.slice(4),
          status: line[1] === 'x' ? 'completed' : 'pending',
        })),
      },
      output: 'Plan updated',
    }),
  },
  'gemini-cli': {
    Bash: (call) => ({
      tool: 'run_shell_command',
      output: `Output: ${call.lines.join('\n')}\nExit Code: ${call.failed ? 1 : 0}`,
    }),
    Read: (call, { cwd }) => ({
      tool: 'read_file',
      input: { file_path: geminiPath(call, cwd), ...rangeOf(call) },
      output: call.lines.join('\n'),
    }),
    Edit(call, { input }) {
      const { old_string, new_string, file_path } = input;
      return {
        tool: 'replace',
        input: { file_path, old_string, new_string, instruction: `change ${call.subject}` },
        output: `Successfully modified file: ${file_path} (1 replacements). Here is the updated code:\n${new_string}\n`,
      };
    },
    Write: () => ({ tool: 'write_file' }),
    Grep: (call) => ({ tool: 'search_file_content', input: { pattern: call.subject, path: call.input[0] } }),
    Glob: () => ({ tool: 'glob' }),
    WebSearch: () => ({ tool: 'google_web_search' }),
    WebFetch: (call) => ({ tool: 'web_fetch', input: { prompt: `${call.input[0]} ${call.input[1]}` } }),
  },
  cursor: {
    Bash: () => ({ tool: 'run_terminal_cmd' }),
    Read: (call) => ({ tool: 'read_file', input: { target_file: readParts(call).path, ...rangeOf(call) } }),
    Edit: (call, { input }) => ({
      tool: 'search_replace',
      input: { file_path: call.subject, old_string: input.old_string, new_string: input.new_string },
      output: `The file ${call.subject} has been updated.`,
    }),
    Grep: (call) => ({ tool: 'grep', input: { pattern: call.subject, path: call.input[0] } }),
    Glob: (call) => ({ tool: 'glob_file_search', input: { glob_pattern: call.subject } }),
    WebSearch: (call) => ({ tool: 'web_search', input: { search_term: call.input[0] } }),
  },
  opencode: {
    Bash: (call) => ({ tool: 'bash', input: { command: call.input.join('\n') } }),
    Read(call, { cwd }) {
      const { path, first, text } = readParts(call);
      return {
        tool: 'read',
        input: { filePath: `${cwd}/${path}`, offset: first - 1 },
        output: `<file>\n${numbered(text, first, '| ')}\n</file>`,
      };
    },
    Edit: (_call, { input }) => ({
      tool: 'edit',
      input: { filePath: input.file_path, oldString: input.old_string, newString: input.new_string },
      output: 'Edit applied successfully.',
    }),
    Write: (_call, { input }) => ({
      tool: 'write',
      input: { filePath: input.file_path, content: input.content },
      output: '',
    }),
    Grep: () => ({ tool: 'grep' }),
    Glob: () => ({ tool: 'glob' }),
    TodoWrite: () => ({ tool: 'todowrite' }),
  },
  'copilot-cli': {
    Bash: (call) => ({
      tool: 'bash',
      output: `${call.lines.join('\n')}\n<exited with exit code ${call.failed ? 1 : 0}>`,
    }),
    Read: (call, { cwd }) => ({ tool: 'view', input: { path: `${cwd}/${readParts(call).path}` } }),
    Edit: (call, { cwd }) => ({
      tool: 'apply_patch',
      input: patch(call),
      output: `Modified 1 file(s): ${cwd}/${call.subject}`,
    }),
    Write: (call, { cwd }) => ({
      tool: 'apply_patch',
      input: newFile(call),
      output: `Added 1 file(s): ${cwd}/${call.subject}`,
    }),
  },
};
