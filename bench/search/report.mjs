// The figures as a person reads them.
import { quantile } from '../place.mjs';
import { interval, paired } from './bootstrap.mjs';
import { gradeOf, means } from './metrics.mjs';
import { fused, isLeg, raw } from './orders.mjs';

const columns = {
  ndcg10: 'nDCG@10',
  hit5: 'Hit@5',
  hit10: 'Hit@10',
  mrr10: 'MRR@10',
  session5: 'ses H@5',
  sessions5: '5 sess',
  all5: 'all@5',
  recall5: 'R@5',
  recall10: 'R@10',
};
/** The figures of the set `talk`. */
export const talkColumns = {
  session1: 'session@1',
  session5: 'session@5',
  answer5: 'answer@5',
  answer10: 'answer@10',
};
const judged = ['ndcg10', 'hit5', 'hit10', 'recall10'];
const shownCharsMax = 120;
const cameInsteadMax = 3;

/** Everything about one set: what was loaded, a table for each kind of query, the worst, the time. */
export function reportSet(set, workspaces, worst) {
  console.log(`\n== ${set}`);
  for (const one of workspaces) loaded(one);
  const queries = workspaces.flatMap((one) => one.queries);
  const kinds = groups(queries, ({ query }) => query.kind);
  if (kinds.size > 2) section('all kinds', queries);
  for (const [kind, ofKind] of kinds) section(kind, ofKind);
  latency(queries);
  if (worst > 0) worstOf(workspaces, worst);
}

/** A table of all, and one of each workspace that has enough of these queries. */
function section(title, queries) {
  table(`${title}, all`, queries);
  const byWorkspace = groups(queries, ({ workspace }) => workspace);
  if (byWorkspace.size < 2) return;
  for (const [workspace, some] of byWorkspace) {
    if (some.length >= enoughToTell) table(`${title}, ${workspace}`, some);
  }
}

/** Fewer queries than these make no figures, or no interval, worth a reader's time. */
const enoughToTell = 20;
const enoughToJudge = 30;

function loaded({ name, calls, queries, counts, backends, captureMs, drainMs }) {
  const rate = (ms) => `${Math.round((calls / ms) * 1000)}/s`;
  console.log(
    `${name}: ${calls} calls, ${queries.length} queries; ${counts.summaries} summaries, ${counts.embeddings} vectors by ${backends.embedder}; captured ${rate(captureMs)}, drained ${rate(drainMs)}`,
  );
}

function table(title, queries) {
  console.log(`\n${title} (${queries.length} queries)`);
  console.log(
    `  ${''.padEnd(22)}${Object.values(columns)
      .map((name) => name.padStart(9))
      .join('')}`,
  );
  for (const system of systemsOf(queries)) {
    const mean = means(queries.map((query) => figuresOfSystem(query, system)));
    const cells = Object.keys(columns).map((name) => share(mean[name]).padStart(9));
    console.log(`  ${system.padEnd(22)}${cells.join('')}`);
  }
  if (queries.length >= enoughToJudge) differences(queries);
}

/** What fusion earns over each leg, what decay costs, and both together over plain BM25. */
function differences(queries) {
  const legs = systemsOf(queries).filter(isLeg);
  const pairs = [
    ...legs.map((leg) => [fused.flat, leg]),
    ...(legs.length > 0 ? [[fused.flat, fused.sum]] : []),
    [fused.decayed, fused.flat],
    [fused.decayed, raw.bm25],
  ];
  console.log('  paired differences [95 % of 2,000 resamples]');
  for (const [a, b] of pairs) {
    const [ofA, ofB] = [a, b].map((system) => queries.map((query) => figuresOfSystem(query, system)));
    console.log(`    ${`${a} - ${b}`.padEnd(36)} ${differenceCells(ofA, ofB)}`);
  }
}

function differenceCells(ofA, ofB) {
  // Questions about talk are answered by sessions and messages, not by graded calls.
  const isTalk = Object.hasOwn(ofA[0] ?? {}, 'answer5');
  return (isTalk ? Object.keys(talkColumns) : judged)
    .map(
      (figure) => `${(isTalk ? talkColumns : columns)[figure]} ${spread(interval(paired(ofA, ofB, figure)))}`,
    )
    .join('   ');
}

/** The same queries before and now, system by system. */
export function reportAgainst(before, now) {
  const key = ({ set, workspace, qid }) => JSON.stringify([set, workspace, qid]);
  const old = new Map(before.map((one) => [key(one), one]));
  const both = now
    .map(({ set, workspace, query, figures }) => {
      const { qid, kind } = query;
      return { set, kind, figures, before: old.get(key({ set, workspace, qid }))?.figures };
    })
    .filter((one) => one.before !== undefined);
  console.log(`\n== against the file: ${both.length} of ${now.length} queries are in both (now - then)`);
  for (const [group, some] of groups(both, ({ set, kind }) => `${set}, ${kind}`)) {
    console.log(`\n${group} (${some.length} queries)`);
    for (const system of Object.keys(some[0].figures)) {
      const common = some.filter(
        (one) => one.before[system] !== undefined && one.figures[system] !== undefined,
      );
      if (common.length === 0) continue;
      const [ofNow, ofThen] = [
        common.map((one) => one.figures[system]),
        common.map((one) => one.before[system]),
      ];
      console.log(`  ${system.padEnd(22)} ${differenceCells(ofNow, ofThen)}`);
    }
  }
}

function latency(queries) {
  if (!systemsOf(queries).some(isLeg)) {
    console.log('\nlegs alone: this build does not answer `explain` in a search');
  }
  const times = queries.map(({ ms }) => ms);
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)].map((ms) => ms.toFixed(1));
  console.log(`\nsearch through the socket, 10 hits: p50 ${p50} ms, p99 ${p99} ms`);
}

/** Of the queries that some leg has an answer to, those that the whole answered worst. */
function worstOf(workspaces, count) {
  const found = workspaces
    .flatMap(({ queries, textOf }) => queries.map((one) => ({ one, textOf, best: bestLegPlace(one) })))
    .filter(({ best }) => best !== null)
    .sort((a, b) => ndcgOf(a.one) - ndcgOf(b.one) || a.best.place - b.best.place)
    .slice(0, count);
  if (found.length > 0)
    console.log('\nanswered worst by fusion + decay, of those that a leg had an answer to');
  for (const { one, textOf, best } of found) {
    const { query, workspace, orders } = one;
    console.log(`\n  ${query.kind} ${query.qid} (${workspace}): ${line(query.query)}`);
    console.log(`    nDCG@10 ${share(ndcgOf(one))}; best answer of a leg: ${best.leg}, place ${best.place}`);
    const whole = orders[fused.decayed];
    const place = whole.findIndex(({ id }) => id === best.id) + 1;
    console.log(
      `    expected (${place > 0 ? `came at ${place}` : 'did not come'}): ${line(textOf(best.id))}`,
    );
    const instead = whole.filter(({ id }) => id !== null && !isAnswer(query, id)).slice(0, cameInsteadMax);
    for (const { id } of instead) console.log(`    came: ${line(textOf(id))}`);
  }
}

/** Where the best placed answer stands in any leg; null when none has one. */
function bestLegPlace({ query, orders }) {
  const places = Object.entries(orders)
    .filter(([system]) => isLeg(system))
    .map(([leg, order]) => ({ leg, at: order.findIndex(({ id }) => isAnswer(query, id)), order }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at);
  const [first] = places;
  return first === undefined ? null : { leg: first.leg, place: first.at + 1, id: first.order[first.at].id };
}

function isAnswer({ relevant }, id) {
  return gradeOf(relevant, id) > 0;
}

function ndcgOf({ figures }) {
  return figures[fused.decayed].ndcg10;
}

/** In the order of the reading: baselines, legs, fusions. A leg that found nothing for a query scores nothing there. */
function systemsOf(queries) {
  const names = new Set(queries.flatMap(({ figures }) => Object.keys(figures)));
  const legs = [...names].filter(isLeg).toSorted((a, b) => a.localeCompare(b));
  return [...Object.values(raw), ...legs, ...Object.values(fused).filter((name) => names.has(name))];
}

function figuresOfSystem({ figures }, system) {
  return figures[system] ?? nothingFound;
}

const nothingFound = Object.fromEntries(Object.keys(columns).map((name) => [name, 0]));

function groups(items, keyOf) {
  const found = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(item);
  }
  return found;
}

function line(text) {
  return text.replace(/\s+/g, ' ').slice(0, shownCharsMax);
}

function share(value) {
  return value.toFixed(3).replace(/^0/, '');
}

function spread({ mean, low, high }) {
  const signed = (value) => `${value < 0 ? '-' : '+'}${share(Math.abs(value))}`;
  return `${signed(mean)} [${signed(low)}, ${signed(high)}]`;
}
