import {
  type AndOr,
  type Assignment,
  type Case,
  type Command,
  type CommandNode,
  type CompoundList,
  type For,
  forEachChild,
  type If,
  type Pipeline,
  parse,
  type Redirection,
  type Script,
  type Function as ShellFunction,
  type Statement,
  type SyntaxNode,
  type Word as WordNode,
} from 'unbash';
import type { Target } from '../../boundary/index.ts';
import { shellAlternativesMax, shellDepthMax, shellSubstitutionsMax, shellWordsMax } from '../../limits.ts';
import { type Fed, type Invocation, outputOf, runCommand } from './commands.ts';
import { Findings } from './findings.ts';
import { type Setting, State, type Word } from './state.ts';
import { piecesOf } from './words.ts';

/**
 * What a command line would write, as far as its text tells; docs/boundary.md has the table of what is seen and what is
 * not. Runs nothing and looks at no file.
 */
export function shellWrites(text: string, setting: Setting): readonly Target[] {
  const findings = new Findings();
  runText(text, new State(setting, findings));
  return findings.targets;
}

/** Commands told as a text: the line itself, `sh -c`, `eval`, a here-document for a shell. */
export function runText(text: string, state: State): void {
  if (state.depth >= shellDepthMax || !state.findings.step()) return;
  // What the client sends is as long as it is; what the line makes of itself can grow with each command.
  if (state.depth > 0 && !state.findings.takeText(text.length)) return;
  if (text.split(/[$<>]\(|\$\{|`/, shellSubstitutionsMax + 1).length <= shellSubstitutionsMax) {
    runAll(parse(text).commands, state);
  }
}

function runAll(statements: readonly Statement[], state: State): void {
  for (const { command } of statements) runNode(command, state, nothingFed);
}

const nothingFed: Fed = { words: null, text: null };

type Node = Statement['command'];

function runNode(node: Node | CompoundList, state: State, fed: Fed): void {
  if (!state.findings.step()) return;
  switch (node.type) {
    case 'Command':
      runSimple(node, state, fed);
      return;
    case 'Pipeline':
      runPipeline(node, state);
      return;
    case 'AndOr':
      runChain(node, state, fed);
      return;
    case 'Redirected':
      redirect(node.redirects, state);
      runNode(node.command, state, textOf(node.redirects, state) ?? fed);
      return;
    case 'Function':
      state.functions.set(node.name.value, node);
      return;
    case 'Coproc':
    case 'Subshell':
      runNode(node.body, state.subshell(), fed);
      return;
    case 'BraceGroup':
      runNode(node.body, state, fed);
      return;
    case 'CompoundList':
      runAll(node.commands, state);
      return;
    case 'If':
      runIf(node, state, fed);
      return;
    case 'While':
      conditionally(state, () => {
        for (const part of [node.clause, node.body]) runNode(part, state, fed);
      });
      return;
    case 'ArithmeticFor':
      conditionally(state, () => runNode(node.body, state, fed));
      return;
    case 'For':
    case 'Select':
      runLoop(node, state);
      return;
    case 'Case':
      runCase(node, state, fed);
      return;
    case 'TestCommand':
    case 'ArithmeticCommand':
      runSubstitutions(node, state);
      return;
  }
}

function runChain(node: AndOr, state: State, fed: Fed): void {
  const before = state.from;
  for (const [at, command] of node.commands.entries()) {
    state.isChained = node.operators[at] === '&&' && command.type === 'Command';
    if (node.operators[at - 1] === '||') conditionally(state, () => runNode(command, state, fed));
    else runNode(command, state, fed);
    state.isChained = false;
  }
  if (state.from !== before) state.mayStillStandIn(before);
}

function conditionally(state: State, run: () => void): void {
  state.conditions += 1;
  run();
  state.conditions -= 1;
}

function runIf(node: If, state: State, fed: Fed): void {
  runNode(node.clause, state, fed);
  conditionally(state, () => {
    const rest = [node.then, ...node.elif.flatMap(({ clause, then }) => [clause, then]), node.else];
    for (const part of rest) if (part !== undefined) runNode(part, state, fed);
  });
}

function runCase(node: Case, state: State, fed: Fed): void {
  runSubstitutions(node.word, state);
  conditionally(state, () => {
    for (const { body } of node.items) runNode(body, state, fed);
  });
}

/** Each turn by itself, so that `cp $f $f.bak` goes with the right file. */
function runLoop(node: For | (Omit<For, 'type'> & { type: 'Select' }), state: State): void {
  for (const word of node.wordlist ?? []) runSubstitutions(word, state);
  const words = node.wordlist?.map((word) => piecesOf(word, state)) ?? [null];
  const turns = words
    .flatMap((pieces) => pieces?.map((piece) => [piece]) ?? [null])
    .slice(0, shellAlternativesMax);
  for (const values of turns) {
    state.variables.set(node.name.value, values);
    conditionally(state, () => runNode(node.body, state, nothingFed));
  }
}

function runPipeline(node: Pipeline, state: State): void {
  if (node.commands.length === 1) {
    for (const command of node.commands) runNode(command, state, nothingFed);
    return;
  }
  let fed = nothingFed;
  for (const command of node.commands) {
    const stage = state.subshell();
    runNode(command, stage, fed);
    fed = command.type === 'Command' ? outputOf(invocationOf(command, stage, fed), stage) : nothingFed;
  }
}

function runSimple(node: Command, state: State, fed: Fed): void {
  runSubstitutions(node, state);
  redirect(node.redirects, state);
  const invocation = invocationOf(node, state, fed);
  const assignments = [...node.prefix, ...node.args].filter((one) => one.type === 'Assignment');
  if (invocation.words.length === 0 || declarations.has(invocation.words[0]?.text ?? '')) {
    for (const assignment of assignments) assign(assignment, state);
    return;
  }
  const called = state.functions.get(invocation.words[0]?.text ?? '');
  if (called !== undefined) callFunction(called, invocation.words.slice(1), state);
  else runCommand(invocation, state, runText);
}

const declarations = new Set(['export', 'declare', 'local', 'readonly', 'typeset']);

function invocationOf(node: Command, state: State, fed: Fed): Invocation {
  const words = [node.name, ...node.args].flatMap((one): readonly Word[] => {
    if (one === undefined) return [];
    if (one.type === 'Assignment') return [{ text: one.text, pattern: null }];
    return piecesOf(one, state) ?? [null];
  });
  return { words: words.slice(0, shellWordsMax), fed: textOf(node.redirects, state) ?? fed };
}

function assign({ name, value, append }: Assignment, state: State): void {
  const isPlain = value.type === 'Word' && append !== true;
  state.assign(name, isPlain ? piecesOf(value, state) : null);
}

function callFunction(called: ShellFunction, words: readonly Word[], state: State): void {
  if (state.depth >= shellDepthMax) return;
  const before = state.positional;
  state.positional = words;
  state.depth += 1;
  const { body } = called;
  runNode(body, state, nothingFed);
  state.depth -= 1;
  state.positional = before;
}

function redirect(redirections: readonly Redirection[], state: State): void {
  for (const one of redirections) {
    if (one.type !== 'Redirect' || one.target === undefined) continue;
    if (one.operator === '<' || one.operator === '<&') continue;
    // `2>&1` and `>&-` name no file.
    if (one.operator === '>&' && /^(?:\d+-?|-)$/.test(one.target.value)) continue;
    state.emitAll('write', piecesOf(one.target, state) ?? []);
  }
}

/** What stands in the command line itself as its input, or the file it comes from. */
function textOf(redirections: readonly Redirection[], state: State): Fed | null {
  const told = redirections.filter((one) => one.type !== 'Redirect' || one.operator === '<').at(-1);
  if (told === undefined) return null;
  if (told.type === 'HereDoc') return { words: null, text: told.body.text };
  const [piece] = (told.target === undefined ? null : piecesOf(told.target, state)) ?? [];
  if (told.type === 'Redirect') return { ...nothingFed, file: piece ?? null };
  return { words: null, text: piece?.text ?? null };
}

/** `$(...)`, backquotes and `<(...)` anywhere in a node's words run in subshells of their own. */
function runSubstitutions(node: SyntaxNode | WordNode, state: State): void {
  forEachChild(node, (child) => {
    if (isScript(child)) {
      if (state.depth < shellDepthMax) runAll(child.commands, state.subshell());
    } else if (!isCommand(child)) runSubstitutions(child, state);
  });
}

function isScript(node: SyntaxNode): node is Script {
  return node.type === 'Script';
}

function isCommand(node: SyntaxNode): node is CommandNode {
  return node.type === 'Command';
}
