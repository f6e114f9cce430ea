import { isObject, type Json, type JsonObject, own } from '#core/event';
import { between, blocksText, errorText, without } from './fields.ts';

/**
 * The result of a tool in the shape of Gemini CLI and Qwen Code, `{llmContent, returnDisplay, error?}`: the text for
 * the model, the display (the same text, or a diff with the whole file before and after), and the error. Without the
 * repeats; a plain text where only one text is left.
 */
export function geminiResult(
  response: Json | undefined,
  tool: string,
): { readonly output: Json | undefined; readonly isError: boolean } {
  if (!isObject(response)) return { output: response, isError: exitFailed(tool, response) };
  const error = own(response, 'error');
  if (error !== undefined && error !== null && error !== '')
    return { output: errorText(error), isError: true };
  const rest = without(response, 'llmContent', 'returnDisplay', 'error');
  // Gemini CLI puts a fence for the model around outputs.
  const content = blocksText(own(response, 'llmContent') ?? '');
  const said = between('<untrusted_context>\n', content, '\n</untrusted_context>');
  const shown = own(response, 'returnDisplay') ?? '';
  const isError = exitFailed(tool, said);
  if (isObject(shown)) {
    const display = withoutWholeFiles(shown, said);
    return { output: { llmContent: withoutFile(said, shown), returnDisplay: display, ...rest }, isError };
  }
  const repeats = typeof said === 'string' && typeof shown === 'string' && said.includes(shown);
  const isPlain = repeats && Object.keys(rest).length === 0;
  if (isPlain) return { output: said, isError };
  return { output: { llmContent: said, ...(repeats ? {} : { returnDisplay: shown }), ...rest }, isError };
}

function withoutWholeFiles(shown: JsonObject, said: Json): JsonObject {
  const rest = 'fileDiff' in shown ? without(shown, 'originalContent', 'newContent') : shown;
  const repeats = ['text', 'output'].filter((key) => {
    const value = own(rest, key);
    return typeof value === 'string' && typeof said === 'string' && said.includes(value);
  });
  return repeats.length === 0 ? rest : without(rest, ...repeats);
}

/** The text for the model holds the whole new file once more where the display has the change. */
function withoutFile(said: Json, shown: JsonObject): Json {
  const file = own(shown, 'newContent');
  if (typeof said !== 'string' || typeof file !== 'string' || !('fileDiff' in shown)) return said;
  // The file follows a line of words; a file of one letter must not be found within a word.
  const body = `\n${file.trimEnd()}`;
  const at = said.lastIndexOf(body);
  if (at < 0 || body === '\n') return said;
  return `${said.slice(0, at)}\n[as in fileDiff]${said.slice(at + body.length)}`;
}

/** The shell's own trailer (`Exit Code: 3`), among the last lines; 0 and absent are success. */
function exitFailed(tool: string, said: Json | undefined): boolean {
  if (tool !== 'run_shell_command' || typeof said !== 'string') return false;
  const trailer = said.slice(-600);
  const code = [...trailer.matchAll(/^Exit Code: (-?\d+)$/gm)].at(-1)?.[1];
  return code !== undefined && Number(code) !== 0;
}
