// How good one order of calls is for one query. An order is what a system gave, best first: `{id, session}` a place, `id`
// null for what is no call (a digest) or is not known. Every figure is from 0 to 1.

/** The figures of an order, under these names. `relevant` maps a call's id to its grade (1 or more). */
export const metrics = {
  ndcg10: ({ relevant }, order) => ndcg(relevant, order, 10),
  hit5: ({ relevant }, order) => hit(relevant, order, 5),
  hit10: ({ relevant }, order) => hit(relevant, order, 10),
  mrr10: ({ relevant }, order) => reciprocalRank(relevant, order, 10),
  /** Whether one of the first five hits is of a session that was asked for. */
  session5: ({ sessions }, order) => sessionHit(sessions, order.slice(0, 5), 5),
  /** The same of the first five different sessions, however many hits each has. */
  sessions5: ({ sessions }, order) => sessionHit(sessions, order, 5),
  all5: ({ relevant }, order) => Number(recall(relevant, order, 5) === 1),
  recall5: ({ relevant }, order) => recall(relevant, order, 5),
  recall10: ({ relevant }, order) => recall(relevant, order, 10),
};

/** All figures of one order, a call that comes twice counting where it comes first. */
export function figuresOf(query, order) {
  const once = withoutRepeats(order);
  return Object.fromEntries(Object.entries(metrics).map(([name, of]) => [name, of(query, once)]));
}

/** The mean of each figure over many queries; null without any. */
export function means(figures) {
  if (figures.length === 0) return null;
  const sum = (name) => figures.reduce((total, one) => total + one[name], 0);
  return Object.fromEntries(Object.keys(metrics).map((name) => [name, sum(name) / figures.length]));
}

/** One call may stand for several memories (a session that was resumed repeats its calls). */
export function withoutRepeats(order) {
  const seen = new Set();
  return order.filter(({ id }) => {
    if (id === null) return true;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

/** Gain `2^grade - 1`, discount `log2(place + 1)` (Burges et al. 2005), over that of the best possible order. */
function ndcg(relevant, order, depth) {
  const gains = order.slice(0, depth).map(({ id }) => gainOf(gradeOf(relevant, id)));
  const ideal = Object.values(relevant)
    .map(gainOf)
    .sort((a, b) => b - a)
    .slice(0, depth);
  const best = discounted(ideal);
  return best === 0 ? 0 : discounted(gains) / best;
}

function gainOf(grade) {
  return 2 ** grade - 1;
}

function discounted(gains) {
  return gains.reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
}

function hit(relevant, order, depth) {
  return Number(order.slice(0, depth).some(({ id }) => isRelevant(relevant, id)));
}

function reciprocalRank(relevant, order, depth) {
  const at = order.slice(0, depth).findIndex(({ id }) => isRelevant(relevant, id));
  return at < 0 ? 0 : 1 / (at + 1);
}

function sessionHit(sessions, order, depth) {
  const different = new Set(order.map(({ session }) => session).filter((session) => session !== null));
  return Number([...different].slice(0, depth).some((session) => sessions.includes(session)));
}

function recall(relevant, order, depth) {
  const wanted = Object.keys(relevant).filter((id) => isRelevant(relevant, id));
  if (wanted.length === 0) return 0;
  const found = new Set(order.slice(0, depth).map(({ id }) => id));
  return wanted.filter((id) => found.has(id)).length / wanted.length;
}

/** 0 for a call that is no answer, and for what is no call. */
export function gradeOf(relevant, id) {
  return id !== null && Object.hasOwn(relevant, id) ? relevant[id] : 0;
}

function isRelevant(relevant, id) {
  return gradeOf(relevant, id) > 0;
}
