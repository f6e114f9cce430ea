import type { MemoryKind } from '#core/event';
import { clipped } from '#core/text';
import type { Io } from './io.ts';
import type { LimitsReply } from './replies.ts';
import { ago, printable } from './words.ts';

export interface SearchOptions {
  readonly number?: number;
  readonly session?: string;
  readonly tool?: string;
  readonly kind?: readonly MemoryKind[];
  readonly since?: string;
  readonly until?: string;
  readonly file?: string;
  readonly failed?: boolean;
  readonly client?: string;
  readonly anytime?: boolean;
  readonly sessions?: boolean;
  readonly everywhere?: boolean;
  readonly why?: boolean;
  readonly oneline?: boolean;
  readonly json?: boolean;
}

/** The command that was asked for, what limited the results, and whether they fit. */
export function showNotes(
  query: string,
  count: number,
  limits: LimitsReply,
  options: SearchOptions,
  io: Io,
): void {
  const { recipe } = limits;
  if (recipe !== undefined && options.json !== true) {
    const place = recipe.place === '' ? '' : ` in ${printable(recipe.place)}`;
    const id = recipe.id === null ? '' : ` · #${recipe.id}`;
    const command = io.style('bold', printable(recipe.command));
    io.out(`Last passed: ${command}${place} · ${ago(recipe.ts, Date.now())}${id}\n`);
  }
  showLimits(limits, options, io);
  const missing = limits.missing?.map(([from, to]) => `"${query.slice(from, to)}"`).join(', ');
  const none = printable(`No memory mentions ${missing ?? 'a name in the query'}.`);
  if (count === 0) io.note(nothingFits(query, options, limits.nearest));
  else if (limits.fits === false && !options.json) io.out(io.style('yellow', `${none} Closest matches:`));
  else if (missing !== undefined && !options.json) io.note(none);
}

/** The date that was read from the query, and that the setting is less than was asked for. */
function showLimits(
  { dates, nearest, topK }: LimitsReply,
  { json }: Pick<SearchOptions, 'json'>,
  io: Io,
): void {
  if (topK !== undefined)
    io.note(
      `at most ${topK} results: the setting \`topK\` is ${topK}. Raise it in config.json (200 at most).`,
    );
  if (dates?.lifted === true) {
    const none =
      nearest === undefined
        ? `No memory ${dates.text} matches`
        : `There is no memory ${dates.text}; the nearest day with one is ${nearest}`;
    io.note(printable(`${none}. All dates are searched, as with \`--anytime\`.`));
  } else if (dates !== undefined && !json)
    io.out(io.style('yellow', printable(`${dates.text}; \`--anytime\` lifts it`)));
}

/** In one sentence, with what to try. */
function nothingFits(query: string, options: SearchOptions, nearest?: string): string {
  const shown = clipped(query, shownQueryMax);
  const filters = ['session', 'tool', 'kind', 'since', 'until', 'file', 'failed', 'client'] as const;
  const given = filters.filter((name) => options[name] !== undefined).map((name) => `\`--${name}\``);
  const near =
    nearest === undefined ? '' : ` No memory is of these dates; the nearest day with one is ${nearest}.`;
  const fewer = given.length === 0 ? '' : ` Without ${given.join(', ')} there may be more.`;
  return `no memory matches "${shown}".${near}${fewer} Try other words, a path, or a part of an error; \`mem recent\` lists the newest.`;
}

const shownQueryMax = 121;
