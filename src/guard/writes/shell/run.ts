import {
  type AndOr,
  type Assignment,
  type Case,
  type Command,
  type CompoundList,
  type For,
  forEachChild,
  type If,
  type Pipeline,
  parse,
  type Redirection,
  type Function as ShellFunction,
  type Statement,
  type SyntaxNode,
  type Word as WordNode,
} from 'unbash';
import { shellAlternativesMax, shellDepthMax, shellSubstitutionsMax } from '#core/limits';
import { plain, type Target, unread } from '#guard/boundary';
import { isKnown, runCommand } from './commands.ts';
import { Findings } from './findings.ts';
import { inputOf, invocationOf } from './invocation.ts';
import { outputOf, outputOfNode } from './output.ts';
import { asQuotedLine } from './shells.ts';
import { type Setting, State } from './state.ts';
import { type Invocation, type Stdin, unknownInput, unknownWord, type Word } from './stdin.ts';
import { piecesOf } from './words.ts';

/**
 * What a command line writes, by its text alone; docs/boundary.md lists what is found and what is missed. Runs nothing and
 * reads no file. Behind a limit the line may write anything.
 */
export function shellWrites(text: string, setting: Setting): readonly Target[] {
  const findings = new Findings({ outputOf, runText, runCommand, isKnown });
  runText(text, new State(setting, findings));
  return findings.targets;
}

/** Runs a text as commands: the line itself, `sh -c`, `eval`, a here-document for a shell. */
function runText(text: string, state: State): void {
  if (!isWithinDepth(state) || !state.findings.step()) return;
  // The client's own text may have any length; what the line makes of itself can grow with each command.
  if (state.depth > 0 && !state.findings.takeText(text.length)) return;
  if (text.split(/[$<>]\(|\$\{|`/, shellSubstitutionsMax + 1).length > shellSubstitutionsMax) {
    state.findings.exceed();
    return;
  }
  runAll(parse(text).commands, state, unknownInput);
}

function isWithinDepth(state: State): boolean {
  if (state.depth >= shellDepthMax) state.findings.exceed();
  return state.depth < shellDepthMax;
}

function runAll(statements: readonly Statement[], state: State, stdin: Stdin): void {
  for (const { command } of statements) runNode(command, state, stdin);
}

type Node = Statement['command'];

function runNode(node: Node | CompoundList, state: State, stdin: Stdin): void {
  if (!state.findings.step()) return;
  switch (node.type) {
    case 'Command':
      runSimple(node, state, stdin);
      return;
    case 'Pipeline':
      runPipeline(node, state, stdin);
      return;
    case 'AndOr':
      runChain(node, state, stdin);
      return;
    case 'Redirected':
      redirect(node.redirects, state);
      runNode(node.command, state, inputOf(node.redirects, state) ?? stdin);
      return;
    case 'Function':
      state.functions.set(node.name.value, node);
      return;
    case 'Coproc':
    case 'Subshell':
      runNode(node.body, state.subshell(), stdin);
      return;
    case 'BraceGroup':
      runNode(node.body, state, stdin);
      return;
    case 'CompoundList':
      runAll(node.commands, state, stdin);
      return;
    case 'If':
      runIf(node, state, stdin);
      return;
    case 'While':
      conditionally(state, () => {
        for (const part of [node.clause, node.body]) runNode(part, state, stdin);
      });
      return;
    case 'ArithmeticFor':
      for (const one of [node.initialize, node.test, node.update]) state.assignNumbers(one);
      conditionally(state, () => runNode(node.body, state, stdin));
      return;
    case 'For':
    case 'Select':
      runLoop(node, state, stdin);
      return;
    case 'Case':
      runCase(node, state, stdin);
      return;
    case 'ArithmeticCommand':
      state.assignNumbers(node.expression);
      runSubstitutions(node, state);
      return;
    case 'TestCommand':
      runSubstitutions(node, state);
      return;
  }
}

function runChain(node: AndOr, state: State, stdin: Stdin): void {
  const before = state.from;
  for (const [at, command] of node.commands.entries()) {
    state.isChained = node.operators[at] === '&&' && command.type === 'Command';
    if (node.operators[at - 1] === '||') conditionally(state, () => runNode(command, state, stdin));
    else runNode(command, state, stdin);
    state.isChained = false;
  }
  if (state.from !== before) state.mayStillStandIn(before);
}

function conditionally(state: State, run: () => void): void {
  state.conditions += 1;
  run();
  state.conditions -= 1;
}

function runIf(node: If, state: State, stdin: Stdin): void {
  runNode(node.clause, state, stdin);
  conditionally(state, () => {
    const rest = [node.then, ...node.elif.flatMap(({ clause, then }) => [clause, then]), node.else];
    for (const part of rest) if (part !== undefined) runNode(part, state, stdin);
  });
}

function runCase(node: Case, state: State, stdin: Stdin): void {
  runSubstitutions(node.word, state);
  conditionally(state, () => {
    for (const { body } of node.items) runNode(body, state, stdin);
  });
}

/** Each turn by itself, so that `cp $f $f.bak` goes with the right file. */
function runLoop(node: For | (Omit<For, 'type'> & { type: 'Select' }), state: State, stdin: Stdin): void {
  for (const word of node.wordlist ?? []) runSubstitutions(word, state);
  const pieces =
    node.wordlist?.flatMap((word) => piecesOf(word, state)).flatMap((piece) => state.found(piece)) ??
    state.positional;
  const turns = pieces.length === 0 && node.wordlist === undefined ? [unknownWord] : pieces;
  for (const piece of turns.slice(0, shellAlternativesMax)) {
    state.setValues(node.name.value, [piece]);
    conditionally(state, () => runNode(node.body, state, stdin));
  }
}

function runPipeline(node: Pipeline, state: State, first: Stdin): void {
  if (node.commands.length === 1) {
    for (const command of node.commands) runNode(command, state, first);
    return;
  }
  let stdin = first;
  for (const command of node.commands) {
    runNode(command, state.subshell(), stdin);
    stdin = outputOfNode(command, state.subshell(), stdin);
  }
}

function runSimple(node: Command, state: State, stdin: Stdin): void {
  runSubstitutions(node, state);
  redirect(node.redirects, state);
  const invocation = invocationOf(node, state, stdin);
  const [name] = invocation.words;
  if (name === undefined) {
    for (const one of node.prefix) if (one.type === 'Assignment') assign(one, state);
    return;
  }
  for (const one of node.args) if (one.type === 'Assignment') assign(one, state);
  const isAlternative = node.name !== undefined && piecesOf(node.name, state, 'name').length > 1;
  // A name that may be one of several, or is several words: each of them may be the program.
  const starts = isAlternative ? invocation.words.map((_, at) => at).slice(0, programsMax) : [0];
  withAssigned(node, state, () => {
    for (const at of starts) runWords({ ...invocation, words: invocation.words.slice(at) }, state);
  });
  state.variables.set('_', invocation.words.slice(-1));
}

const programsMax = 32;

/** `name=value command`: the value holds for this command alone. */
function withAssigned(node: Command, state: State, run: () => void): void {
  const assigned = node.prefix.filter((one) => one.type === 'Assignment');
  const before = assigned.map(({ name }) => ({ name, values: state.variables.get(name) }));
  for (const one of assigned) assign(one, state);
  run();
  for (const { name, values } of before) {
    if (values === undefined) state.variables.delete(name);
    else state.variables.set(name, values);
  }
}

function runWords(invocation: Invocation, state: State): void {
  const [name, ...rest] = invocation.words;
  const called = state.functions.get(name?.text ?? '');
  const alias = state.aliases.get(name?.text ?? '');
  if (called !== undefined) callFunction(called, rest, state, invocation.stdin);
  else if (alias !== undefined) {
    const inner = state.subshell();
    inner.aliases.delete(name?.text ?? '');
    runText(`${alias} ${asQuotedLine(rest)}`, inner);
  } else runCommand(invocation, state);
}

function assign({ name, value, append, index }: Assignment, state: State): void {
  if (value.type === 'ArrayValue') {
    const elements = value.elements.flatMap((word) => piecesOf(word, state)).map(withoutSubscript);
    if (append === true) state.addValues(name, elements);
    else state.assign(name, elements);
    return;
  }
  const values = piecesOf(value, state, 'value');
  for (const { text } of values) state.assignOutside(name, text);
  const before = state.variables.get(name);
  if (index !== undefined) state.addValues(name, values);
  else if (append === true && before !== undefined)
    state.assign(
      name,
      before.flatMap((start) => values.map((end) => plain(start.text + end.text))),
    );
  else state.assign(name, values);
}

/** `[key]=value` in the list of an array. */
function withoutSubscript(piece: Word): Word {
  const value = /^\[[^\]]*\]\+?=(.*)$/s.exec(piece.text)?.[1];
  return value === undefined ? piece : plain(value);
}

function callFunction(called: ShellFunction, words: readonly Word[], state: State, stdin: Stdin): void {
  if (!isWithinDepth(state)) return;
  const before = { positional: state.positional, isShifted: state.isShifted };
  state.positional = words;
  state.isShifted = false;
  state.depth += 1;
  runNode(called.body, state, stdin);
  state.depth -= 1;
  Object.assign(state, before);
}

function redirect(redirections: readonly Redirection[], state: State): void {
  for (const one of redirections) {
    if (one.type !== 'Redirect' || one.target === undefined) continue;
    if (one.descriptor?.type === 'FileDescriptorVariable')
      state.assign(one.descriptor.name, [plain(unread.number)]);
    if (one.operator === '<' || one.operator === '<&') continue;
    const pieces = piecesOf(one.target, state);
    // `2>&1`, `>&-` and `>&"$fd"` name no file.
    const isFile = ({ text }: Word): boolean => one.operator !== '>&' || !/^(?:[\d\u0003]+-?|-)$/.test(text);
    state.emitAll('write', pieces.filter(isFile));
  }
}

/** `$(...)`, backquotes and `<(...)` anywhere in a node's words run in subshells of their own. */
function runSubstitutions(node: SyntaxNode | WordNode, state: State): void {
  forEachChild(node, (child) => {
    if (child.type === 'Script') {
      if (isWithinDepth(state)) runAll(child.commands, state.subshell(), unknownInput);
    } else if (child.type !== 'Command') runSubstitutions(child, state);
  });
}
