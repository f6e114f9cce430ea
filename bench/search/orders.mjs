// The orders that are compared for one query: what the baselines give and what the memory gives, whole and by its parts.
// The parts come from the product: with `explain` a search gives the order of each leg, and of every hit what each
// leg gave to it, so that no leg is written a second time here.

/** At this time nothing has an age: what is found is the fusion without decay. */
const beforeAll = '1970-01-01T00:00:00.000Z';

/** As many as a search gives at most, and as deep as each leg goes. */
const depth = 200;

export const raw = { grep: 'grep-like', bm25: 'BM25, raw calls' };
export const fused = { sum: 'legs summed', flat: 'fusion, no decay', decayed: 'fusion + decay' };

/** Every order of `query` by its system's name, and the time that the search as users make it took, in ms. */
export async function ordersOf(query, index, memory) {
  const started = performance.now();
  await memory.search({ query: query.query, topK: 10, asOf: query.ts });
  const ms = performance.now() - started;
  const decayed = await memory.search({ query: query.query, topK: depth, asOf: query.ts });
  const flat = await memory.search({ query: query.query, topK: depth, asOf: beforeAll, explain: true });
  const orders = {
    [raw.grep]: index.grep(query.query, depth),
    [raw.bm25]: index.bm25(query.query, depth),
    ...legOrders(flat, memory.callOf),
    ...summedOrder(flat),
    [fused.flat]: flat.hits.map(placeOf),
    [fused.decayed]: decayed.hits.map(placeOf),
  };
  return { orders, ms };
}

/** The order of each leg alone, of the summaries' ids it found; none when the build does not give it. */
function legOrders({ legs = {} }, callOf) {
  return Object.fromEntries(Object.entries(legs).map(([name, ids]) => [legName(name), ids.map(callOf)]));
}

/** The legs' contributions alone, without any factor (what the query wishes for, supersession): what the factors do. */
function summedOrder({ hits, legs }) {
  if (legs === undefined) return {};
  const sums = hits.map((hit) => ({ hit, sum: sumOf(hit) })).sort((a, b) => b.sum - a.sum);
  return { [fused.sum]: sums.map(({ hit }) => placeOf(hit)) };
}

function sumOf({ why }) {
  const parts = [why.bm25, why.vector, ...Object.values(why.legs ?? {})];
  return parts.reduce((sum, { contribution }) => sum + contribution, 0);
}

export function legName(leg) {
  return `leg: ${leg}`;
}

export function isLeg(system) {
  return system.startsWith('leg: ');
}

/** A summary's place in an order: the call it describes, and the call's session. */
export function placeOf({ toolUseId, sessionId }) {
  return { id: toolUseId, session: sessionId };
}
