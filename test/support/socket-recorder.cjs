// Preloaded by `NODE_OPTIONS=--require`, which child processes and worker threads inherit: every place that a process of the product
// speaks to, listens on, asks the name of or starts becomes a line of the file that MEMD_SOCKET_RECORD names.
'use strict';
const childProcess = require('node:child_process');
const dgram = require('node:dgram');
const dns = require('node:dns');
const fs = require('node:fs');
const module_ = require('node:module');
const net = require('node:net');
const path = require('node:path');
const { threadId } = require('node:worker_threads');

const file = process.env.MEMD_SOCKET_RECORD;

function note(kind, target) {
  const script = path.basename(process.argv[1] ?? '');
  const line = JSON.stringify({ kind, target: String(target), script, pid: process.pid, threadId });
  fs.appendFileSync(file, `${line}\n`);
}

/** `told` names the target of a call by its arguments. */
function wrap(object, name, kind, told) {
  const former = object[name];
  if (typeof former !== 'function') return;
  object[name] = function (...args) {
    note(kind, told(args));
    return former.apply(this, args);
  };
}

function place(args) {
  // The module's own callers hand a list over that is in order already.
  const [first] = args;
  const [options] = Array.isArray(first) ? first : net._normalizeArgs(args);
  return options.path ?? `${options.host ?? 'localhost'}:${options.port}`;
}

if (file !== undefined) {
  // A thread has no name before its script begins.
  process.nextTick(() => note('loaded', path.basename(process.argv[1] ?? '')));
  // TLS, HTTP and fetch all go this way.
  wrap(net.Socket.prototype, 'connect', 'connect', place);
  wrap(net.Server.prototype, 'listen', 'listen', place);
  for (const name of ['send', 'connect', 'bind'])
    wrap(dgram.Socket.prototype, name, 'datagram', (args) => args.slice(1).join(' '));
  for (const resolver of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
    const names = Object.getOwnPropertyNames(resolver).filter((name) =>
      /^(lookup|resolve|reverse)/.test(name),
    );
    for (const name of names) wrap(resolver, name, 'name', ([asked]) => asked);
  }
  wrap(childProcess.ChildProcess.prototype, 'spawn', 'program', ([options]) => options.file);
  for (const name of ['spawnSync', 'execFileSync', 'execSync'])
    wrap(childProcess, name, 'program', ([program]) => program);
  module_.syncBuiltinESMExports();
}
