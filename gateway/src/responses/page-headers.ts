/**
 * The headers of a page that loads nothing from other hosts. `directives` are what its
 * Content-Security-Policy allows, such as `script-src 'self'`; nothing else is allowed. No other
 * page may show it in a frame, and a link sends no referrer.
 */
export const pageHeaders = (directives: readonly string[]): Record<string, string> => ({
  'content-security-policy': [
    "default-src 'none'",
    ...directives,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
});
