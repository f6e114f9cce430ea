import { toolFamily } from '../../src/core/event/tool-family.ts';
import { overviewTools } from '../limits.ts';
import { Tool } from '../parts/marks.tsx';
import { memories, writeRoute } from '../route.ts';
import type { ToolCount } from '../shapes.ts';
import { count, plural } from '../text/words.ts';

/** Shown while no memory is open: what there is by tool, except in a search, and the keys. */
export function Overview({ tools, isSearch }: { tools: readonly ToolCount[]; isSearch: boolean }) {
  return (
    <section class="overview" aria-label="Overview">
      {isSearch && (
        <p class="quiet">
          A hit opens here: its call or message, what came before and after, and why it was found.
        </p>
      )}
      {!isSearch && tools.length > 0 && <ByTool tools={tools} />}
      <p class="overview-keys">
        <span>
          <kbd>↓</kbd> <kbd>Enter</kbd> open a memory
        </span>
        <span>
          <kbd>/</kbd> search
        </span>
        <span>
          <kbd>?</kbd> all keys
        </span>
      </p>
    </section>
  );
}

function ByTool({ tools }: { tools: readonly ToolCount[] }) {
  const shown = [...tools].sort((a, b) => b.count - a.count).slice(0, overviewTools);
  const most = shown[0]?.count ?? 1;
  return (
    <section class="panel">
      <h2>By tool</h2>
      <ul class="by-tool">
        {shown.map((one) => (
          <ToolBar key={one.tool} {...one} most={most} />
        ))}
      </ul>
      {tools.length > shown.length && (
        <p class="quiet">and {plural(tools.length - shown.length, 'other tool')}: see the filter</p>
      )}
    </section>
  );
}

function ToolBar({ tool, count: many, most }: ToolCount & { most: number }) {
  return (
    <li>
      <a href={writeRoute({ ...memories, tool })}>
        <Tool name={tool} />
        <span class={`by-tool-bar family-${toolFamily(tool)}`} aria-hidden="true">
          <span style={{ width: `${(many / most) * 100}%` }} />
        </span>
        <span class="by-tool-count">{count(many)}</span>
      </a>
    </li>
  );
}
