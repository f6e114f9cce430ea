import { createHash } from 'node:crypto';

/** Content security policies (https://www.w3.org/TR/CSP3/). They allow nothing from other sites. */

/** For data: it allows nothing. */
export const barePolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * For a page with these inline texts. Further scripts and styles are `blob:` addresses of content that was fetched with the token.
 */
export function pagePolicy(inline: { readonly script: string; readonly style: string }): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(inline.script)}' blob:`,
    `style-src '${hashOf(inline.style)}' blob:`,
    "connect-src 'self'",
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
