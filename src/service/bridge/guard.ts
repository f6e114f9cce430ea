/** `rawHeaders` are names and values in turn, as they arrived, repetitions included. */
export interface RequestHead {
  readonly target: string;
  readonly rawHeaders: readonly string[];
}

/** The parts of a request's target; `path` is never decoded, and null for `*` and `host:port`. */
export interface Target {
  readonly path: string | null;
  readonly query: string;
  /** Of the absolute form (RFC 9112, 3.2.2), which replaces Host and so is checked too. */
  readonly authority: string | null;
}

/**
 * Why a request is from another site, or null. This check comes first. After DNS rebinding another site's name is in Host; a request by
 * another site's page has its address in Origin.
 */
export function whyForeign({ target, rawHeaders }: RequestHead, port: number): string | null {
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
 * A browser sends no Origin for scripts and images of another site's page, but it sends these headers
 * (https://www.w3.org/TR/fetch-metadata/). Following a link is allowed.
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

/** The bridge's host names with its port, which is optional for port 80. */
function ownAuthorities(port: number): string[] {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  return names.flatMap((name) => (port === 80 ? [`${name}:80`, name] : [`${name}:${port}`]));
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}
