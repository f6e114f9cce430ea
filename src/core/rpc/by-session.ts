/** Hits by session, in the order of the best of each. A call without a session stands alone. */
export function groupedBySession<H extends { readonly id: number; readonly sessionId: string }>(
  hits: readonly H[],
): [H, ...H[]][] {
  const groups = new Map<string, [H, ...H[]]>();
  for (const hit of hits) {
    const key = hit.sessionId || `${hit.id}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [hit]);
    else group.push(hit);
  }
  return [...groups.values()];
}
