import { hash } from 'node:crypto';

/**
 * The Content-Security-Policy of a page that talks to its own origin only. Its inline scripts are allowed by their
 * hashes. Inline styles are allowed because Scalar creates them in the browser.
 */
export function contentSecurityPolicy(html: string): string {
  const scripts = [...html.matchAll(/<script(?:\s[^>]*)?>([\s\S]*?)<\/script>/g)];
  const hashes = scripts
    .map(([, text = '']) => text)
    .filter((text) => text.trim() !== '')
    .map((text) => `'sha256-${hash('sha256', text, 'base64')}'`);
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...hashes].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
