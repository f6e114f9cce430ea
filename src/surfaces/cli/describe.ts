import { bashCompletion } from './describe/bash.ts';
import { fishCompletion } from './describe/fish.ts';
import { markdownPage } from './describe/markdown.ts';
import { programTrees } from './describe/tree.ts';
import { zshCompletion } from './describe/zsh.ts';

/** For the build: texts that are shipped with the programs, by file name. */
export async function shippedTexts(): Promise<Record<string, string>> {
  const trees = await programTrees();
  const texts = Object.entries(trees).flatMap(([name, tree]) => [
    [`help/${name}.txt`, tree.help],
    [`completion/${name}.bash`, bashCompletion(tree)],
    [`completion/${name}.zsh`, zshCompletion(tree)],
    [`completion/${name}.fish`, fishCompletion(tree)],
  ]);
  return Object.fromEntries(texts);
}

/** The part of docs/commands.md that comes from the programs: all before `## Exit status`. */
export async function commandsPage(): Promise<string> {
  const { memd, mem } = await programTrees();
  return markdownPage([memd, mem]);
}
