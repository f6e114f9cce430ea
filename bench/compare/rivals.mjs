// The others, as published: fixed versions from the npm registry, installed without their scripts into a folder of their own.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const versions = {
  'claude-mem': '13.25.3',
  '@modelcontextprotocol/server-memory': '2026.8.31',
  '@vscode/ripgrep': '1.18.0',
  // What claude-mem runs on.
  bun: '1.4.5',
};

/**
 * @param folder kept if it holds an installation already
 * @returns {claudeMem, serverMemory, ripgrep}: each `{name, version, ...where its parts are}`
 */
export function installRivals(folder) {
  const modules = path.join(folder, 'node_modules');
  const claudeMem = path.join(folder, 'claude-mem');
  if (!fs.existsSync(path.join(folder, 'complete'))) {
    fs.mkdirSync(claudeMem, { recursive: true });
    fs.writeFileSync(path.join(folder, 'package.json'), '{"private": true}');
    const { 'claude-mem': own, ...plain } = versions;
    npm(folder, 'install', ...Object.entries(plain).map(([name, version]) => `${name}@${version}`));
    // The package's own installer fetches further parts; its plugin folder is what an assistant runs.
    npm(folder, 'pack', `claude-mem@${own}`);
    execFileSync('tar', ['xzf', `claude-mem-${own}.tgz`, '-C', claudeMem], { cwd: folder });
    npm(path.join(claudeMem, 'package/plugin'), 'install', '--legacy-peer-deps');
    fs.writeFileSync(path.join(folder, 'complete'), '');
  }
  const platform = `${process.platform}-${process.arch}`;
  return {
    claudeMem: {
      plugin: path.join(claudeMem, 'package/plugin'),
      bun: path.join(modules, `@oven/bun-${platform.replace('arm64', 'aarch64')}`, 'bin'),
      version: versions['claude-mem'],
      installedMiB: mebibytes(path.join(claudeMem, 'package')) + mebibytes(path.join(modules, '@oven')),
    },
    serverMemory: {
      script: path.join(modules, '@modelcontextprotocol/server-memory/dist/index.js'),
      version: versions['@modelcontextprotocol/server-memory'],
    },
    ripgrep: {
      program: path.join(modules, `@vscode/ripgrep-${platform}`, 'bin/rg'),
      version: versions['@vscode/ripgrep'],
    },
  };
}

function npm(cwd, command, ...args) {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', [command, ...args, ...quiet], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** What a folder's files hold together. */
export function mebibytes(folder) {
  let bytes = 0;
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += fs.statSync(path.join(entry.parentPath ?? entry.path, entry.name)).size;
  return bytes / 2 ** 20;
}
