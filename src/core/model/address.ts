/**
 * The API path under a base address (`http://localhost:11434`, `https://host/prefix/`). A name and password in the
 * base go into a header: `fetch` refuses them in a URL, in words that show them.
 * Throws a TypeError that does not repeat the address when it is not one.
 */
export function addressOf(base: string, path: string) {
  const url = parsed(base);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`;
  if (username === '' && password === '') return { url: url.href, authorization: null };
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url: url.href, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** A base address as it may be shown: without credentials, query or trailing slash. */
export function publicAddress(base: string): string {
  if (!/^https?:/i.test(base) || !URL.canParse(base)) return 'an address that is not an http URL';
  const url = new URL(base);
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`;
}

function parsed(base: string): URL {
  if (!URL.canParse(base)) throw new TypeError('the endpoint is not a URL');
  const url = new URL(base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError('the endpoint is not an http or https URL');
  url.search = '';
  url.hash = '';
  return url;
}
