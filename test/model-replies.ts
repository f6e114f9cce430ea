/** What a healthy model server says: Ollama's API and Anthropic's Messages API, as far as memd uses them. */
import { isObject, type Json, type JsonObject, own, stringAt } from '#core/event';

/** What a healthy server knows and says. */
export interface ReplySettings {
  /** The models that the local API knows. */
  readonly models?: readonly string[];
  /** The key that the hosted API takes; any when left out. */
  readonly apiKey?: string;
  /** Whether a request that holds this text is refused; none is when left out. */
  readonly refuses?: (text: string) => boolean;
  /** What `/api/tags` says of each model's build; nothing when left out. */
  readonly digest?: string;
  /** Numbers in a vector of `/api/embed`. */
  readonly dimension?: number;
  /** The answers to the events of a prompt; `believable` when left out. */
  readonly answers?: (events: readonly PromptEvent[]) => readonly Json[];
  /** The answers to a prompt of pairs of memories; `undecided` when left out. */
  readonly verdicts?: (pairs: readonly PromptEvent[]) => readonly Json[];
}

/** An event as it was found in a prompt. */
export interface PromptEvent extends JsonObject {
  readonly id: number;
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed, or null when there was none. */
  readonly body: Json;
}

export type Endpoint = 'probe' | 'chat' | 'embed' | 'messages';

export interface PlainReply {
  readonly status: number;
  readonly body: Json;
}

/** What a healthy server would say; `content` replaces the answers in it. */
export function replyTo(
  request: RecordedRequest,
  settings: ReplySettings,
  content: string | null,
): PlainReply {
  const { models = ['llama3.2:3b', 'nomic-embed-text'], dimension = 64, digest } = settings;
  const body = isObject(request.body) ? request.body : {};
  const model = stringAt(body, 'model') ?? '';
  const said = () => content ?? JSON.stringify(answerTo(eventsIn(promptIn(body)), settings));
  const texts = [promptIn(body), ...textsIn(body)];
  if (settings.refuses !== undefined && texts.some(settings.refuses)) return refusal(request.path);
  switch (request.path) {
    case '/api/version':
      return { status: 200, body: { version: '0.12.0' } };
    case '/api/tags':
      return {
        status: 200,
        body: { models: models.map((name) => ({ name, model: name, ...(digest && { digest }) })) },
      };
    case '/api/show':
      return models.includes(model)
        ? { status: 200, body: { details: { family: 'a' } } }
        : unknownModel(model);
    case '/api/chat':
      return models.includes(model) ? { status: 200, body: chatReply(model, said()) } : unknownModel(model);
    case '/api/embed':
      return models.includes(model)
        ? { status: 200, body: { model, embeddings: textsIn(body).map((text) => vectorOf(text, dimension)) } }
        : unknownModel(model);
    case '/v1/messages':
      return refused(request, settings.apiKey) ?? { status: 200, body: messageReply(model, said()) };
    default:
      return { status: 404, body: { error: 'no such path' } };
  }
}

function answerTo(asked: readonly PromptEvent[], settings: ReplySettings): Json {
  const { answers = believable, verdicts = undecided } = settings;
  const isAboutPairs = asked.length > 0 && asked.every((one) => own(one, 'newer') !== undefined);
  return isAboutPairs ? { verdicts: [...verdicts(asked)] } : { summaries: [...answers(asked)] };
}

/** Pairs that have nothing to do with each other. */
export function undecided(pairs: readonly PromptEvent[]): readonly Json[] {
  return pairs.map(({ id }) => ({
    id,
    reason: 'They are about different parts.',
    outdated: 'none',
    verdict: 'neither',
  }));
}

function chatReply(model: string, content: string): Json {
  return {
    model,
    created_at: '2026-01-01T00:00:00Z',
    message: { role: 'assistant', content },
    done: true,
    done_reason: 'stop',
    total_duration: 1_000_000,
    prompt_eval_count: 100,
    eval_count: 20,
  };
}

function messageReply(model: string, text: string): Json {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 20 },
  };
}

function unknownModel(model: string): PlainReply {
  return { status: 404, body: { error: `model '${model}' not found` } };
}

/** What both APIs say of a question that they do not take. */
function refusal(path: string): PlainReply {
  const message = 'this text is not taken';
  return path === '/v1/messages' ? anthropicError(400, message) : { status: 400, body: { error: message } };
}

/** The error of the hosted API for a request it does not take, or null. */
function refused({ headers }: RecordedRequest, apiKey: string | undefined): PlainReply | null {
  if (headers['anthropic-version'] === undefined)
    return anthropicError(400, 'anthropic-version: header is required');
  if (apiKey === undefined || headers['x-api-key'] === apiKey) return null;
  return anthropicError(401, 'invalid x-api-key');
}

export function anthropicError(status: number, message: string): PlainReply {
  const type = errorTypes[status] ?? 'api_error';
  return { status, body: { type: 'error', error: { type, message }, request_id: 'req_1' } };
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

/** The events of a prompt: every line that is a JSON object with an integer `id`. */
export function eventsIn(prompt: string): readonly PromptEvent[] {
  return prompt.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    const event = parse(line);
    if (!isObject(event)) return [];
    const id = own(event, 'id');
    return typeof id === 'number' && Number.isInteger(id) ? [{ ...event, id }] : [];
  });
}

/** A summary that says which event it is for: its tool and the beginning of its input. */
export function believable(events: readonly PromptEvent[]): readonly Json[] {
  return events.map((event) => {
    const input = JSON.stringify(own(event, 'input') ?? null);
    const how = own(event, 'failed') === true ? 'It failed.' : 'It succeeded.';
    return {
      id: event.id,
      text: `The assistant used ${stringAt(event, 'tool') ?? 'a tool'} with ${input.slice(0, 160)}. ${how}`,
      terms: (input.match(/[\w./-]{3,}/g) ?? []).slice(0, 12).join(' '),
    };
  });
}

export function endpointOf(path: string): Endpoint | null {
  if (path === '/api/version' || path === '/api/tags' || path === '/api/show') return 'probe';
  if (path === '/api/chat') return 'chat';
  if (path === '/api/embed') return 'embed';
  return path === '/v1/messages' ? 'messages' : null;
}

/** The texts of the messages of either API. */
function promptIn(body: JsonObject): string {
  const messages = own(body, 'messages');
  if (!Array.isArray(messages)) return '';
  return messages
    .map((message: Json) => (isObject(message) ? (stringAt(message, 'content') ?? '') : ''))
    .join('\n');
}

function textsIn(body: JsonObject): readonly string[] {
  const input = own(body, 'input');
  if (typeof input === 'string') return [input];
  return Array.isArray(input) ? input.filter((text) => typeof text === 'string') : [];
}

/** A bag of words, so that texts that share words are near each other. */
function vectorOf(text: string, dimension: number): readonly number[] {
  const vector = new Array<number>(dimension).fill(0);
  vector[0] = 0.01;
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 2_166_136_261;
    for (const char of word) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16_777_619) >>> 0;
    const slot = hash % dimension;
    vector[slot] = (vector[slot] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

export function parse(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
