/** What the guard looks at. `rawHeaders` are names and values in turn, as they came, repetitions included. */
export interface Asked {
  readonly target: string;
  readonly rawHeaders: readonly string[];
}

/** A request's target in its parts; `path` is as it came, never decoded, and null where there is none (`*`, `host:port`). */
export interface Target {
  readonly path: string | null;
  readonly query: string;
  /** Of the absolute form (RFC 9112, 3.2.2): it counts in place of Host, so it must be ours too. */
  readonly authority: string | null;
}

/**
 * Why a request comes from somewhere it should not, in words, or null. First of all checks: a page of another site that has
 * been given our address by its own name server (DNS rebinding) has its name in Host, and one that sends us a request has its
 * address in Origin.
 */
export function whyForeign({ target, rawHeaders }: Asked, port: number): string | null {
  const own = ownAuthorities(port);
  const [host, ...moreHosts] = valuesOf(rawHeaders, 'host');
  if (host === undefined || moreHosts.length > 0) return 'the request must name one host';
  if (!own.includes(host.toLowerCase())) return 'the host is not this bridge';
  const { authority } = targetOf(target);
  if (authority !== null && !own.includes(authority.toLowerCase())) return 'the address is not this bridge';
  const origins = valuesOf(rawHeaders, 'origin');
  const isOwn = (origin: string): boolean => own.some((one) => origin.toLowerCase() === `http://${one}`);
  if (origins.length > 1 || !origins.every(isOwn)) return 'the request comes from another site';
  return isFetchedFromElsewhere(rawHeaders) ? 'the request comes from another site' : null;
}

/**
 * A browser sends no Origin with a script or picture that another site's page asks for; it says so here
 * (https://www.w3.org/TR/fetch-metadata/). Following a link to the page is no such thing.
 */
function isFetchedFromElsewhere(rawHeaders: readonly string[]): boolean {
  const [mode] = valuesOf(rawHeaders, 'sec-fetch-mode');
  return (
    mode !== 'navigate' &&
    valuesOf(rawHeaders, 'sec-fetch-site').some((site) => /^(cross|same)-site$/.test(site))
  );
}

/** The bearer of the one Authorization header, or null. */
export function bearerOf(rawHeaders: readonly string[]): string | null {
  const [value, ...more] = valuesOf(rawHeaders, 'authorization');
  if (value === undefined || more.length > 0) return null;
  return /^bearer +([\x21-\x7e]+)$/i.exec(value.trim())?.[1] ?? null;
}

export function targetOf(target: string): Target {
  const [, authority = null, rest = null] = /^(?:https?:\/\/([^/?#]*))?(.*)$/is.exec(target) ?? [];
  const text = authority !== null && rest === '' ? '/' : rest;
  if (text === null || !text.startsWith('/')) return { path: null, query: '', authority };
  const at = text.indexOf('?');
  if (at < 0) return { path: text, query: '', authority };
  return { path: text.slice(0, at), query: text.slice(at + 1), authority };
}

/** The bridge's names with its port; without one where that is the scheme's own. */
function ownAuthorities(port: number): string[] {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  return names.flatMap((name) => (port === 80 ? [`${name}:80`, name] : [`${name}:${port}`]));
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}
