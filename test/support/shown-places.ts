import type { Scope } from './source-texts.ts';
import { type Node, nameOf, nodeAt, nodesAt } from './syntax.ts';

/**
 * Where the sources show a text to a person or write a warning: arguments of calls, fields, returns and variables, by name.
 * A name that is no sign by itself counts in the files that begin as `below` says.
 */
interface Shown {
  readonly name: string;
  readonly below: string;
  /** Of a call, which argument; -1 is the last one. */
  readonly at: number;
}

/** `NAME/ARGUMENT` or `NAME`, and where. */
function places(...lines: readonly string[]): Shown[] {
  return lines.flatMap((line) => {
    const [below = '', names = ''] = line.includes(': ') ? line.split(': ') : ['', line];
    return names.split(' ').map((one) => {
      const [name = '', at = '0'] = one.split('@');
      return { name, below, at: Number(at) };
    });
  });
}

const calls = places(
  'errorReply@1 report',
  'bridge/: refused@2',
  'cli/: note error putOnStderr',
  'consolidate/: asking',
  'health/: note',
  'hook/: leave leaveSilently notCaptured notChecked refuse fail silent warning@1',
  'mcp/: refused@2 log',
  'monitor/: note tell say',
  'rpc/framer: refuse@1',
);

const made = places('Failure@1 InvalidArgumentError');

/** Errors that are told as the reason of something, in their own words. */
const toldErrors = places(
  'boundary/scope.ts: Error',
  'bridge/assets.ts: Error',
  'bridge/reader/reader.ts: Error',
  'capture/thread.ts: Error',
  'backfill/backfill.ts: Error',
  'mcp/stdio-lines.ts: Error',
);

const fields = places(
  'error givenUp stopped sentence',
  'archive/: reason',
  'bridge/connections.ts: message',
  'engine/worker.ts: message',
  'hook/: said note',
  'install/assistants/: notes',
  'monitor/: text',
  'summarise/hosted-chat.ts: max_tokens refusal',
);

const returns = places(
  'whyForeign refusal overWarning unknownKey warnings denialSentence spoolObservation readScope parseScope stored',
  'daemon/: clearSocketPath mendedNote',
  'hook/: attempted replaceOlder run otherVersion',
  'install/: notesFor',
  'monitor/: argumentsOf',
);

const variables = places(
  'daemon/: warning',
  'hook/: trouble',
  'hook/boundary: note',
  'hook/guard: silence',
  'hook/session-start: line',
  'info/: told',
  'lifecycle/: notes',
  'summarise/: firstError',
);

/** Lists that are shown one by one. */
const lists = new Set(['warnings', 'notes', 'problems']);

/** What `node` shows, as expressions. */
export function shownBy(node: Node, scope: Scope, file: string): Node[] {
  const named = (list: readonly Shown[], name: string): Shown | undefined =>
    list.find((one) => one.name === name && file.startsWith(one.below));
  const present = (key: string): Node[] => [nodeAt(node, key)].filter((one) => one !== null);
  switch (node.type) {
    case 'NewExpression':
      return argumentOf(node, named([...made, ...toldErrors], nameOf(nodeAt(node, 'callee'))));
    case 'CallExpression':
      return argumentOf(node, named(calls, nameOf(nodeAt(node, 'callee')))).concat(byOwner(node));
    case 'Property':
      return named(fields, nameOf(nodeAt(node, 'key'))) ? present('value') : [];
    case 'ReturnStatement':
      return named(returns, scope[0]?.name ?? '') ? present('argument') : [];
    case 'VariableDeclarator':
      return named(variables, nameOf(nodeAt(node, 'id'))) ? present('init') : [];
    case 'AssignmentExpression':
      return named(variables, nameOf(nodeAt(node, 'left'))) ? present('right') : [];
    case 'ArrayExpression':
      return repairIn(node);
    default:
      return [];
  }
}

function argumentOf(node: Node, shown: Shown | undefined): Node[] {
  return shown === undefined ? [] : nodesAt(node, 'arguments').slice(shown.at, shown.at + 1);
}

/** Of calls that are known by whose they are: a logger, a schema, a list. */
function byOwner(node: Node): Node[] {
  const callee = nodeAt(node, 'callee');
  const owner = nameOf(callee === null ? null : nodeAt(callee, 'object'));
  const name = nameOf(callee);
  const given = nodesAt(node, 'arguments');
  if (/^(?:warn|error|fatal)$/.test(name) && /^log/i.test(owner)) return given.slice(-1);
  if (name === 'push' && lists.has(owner)) return given;
  const isTold = owner === 'v' && !/^(?:description|title|literal|metadata)$/.test(name);
  return isTold ? given.filter((one) => / /.test(nameOf(one))) : [];
}

/** A pair of a table that tells what to say when something else is said. */
function repairIn(node: Node): Node[] {
  const [words, repair, ...more] = nodesAt(node, 'elements');
  const isPair = words !== undefined && 'regex' in words && repair !== undefined && more.length === 0;
  return isPair ? [repair] : [];
}
