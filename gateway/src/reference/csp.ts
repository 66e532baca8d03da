import { hash } from 'node:crypto';

/**
 * What the Content-Security-Policy of the reference allows: its own origin, and its inline scripts
 * by their hashes. Inline styles are allowed because Scalar creates them in the browser.
 */
export function allowedSources(html: string): string[] {
  const scripts = [...html.matchAll(/<script(?:\s[^>]*)?>([\s\S]*?)<\/script>/g)];
  const hashes = scripts
    .map(([, text = '']) => text)
    .filter((text) => text.trim() !== '')
    .map((text) => `'sha256-${hash('sha256', text, 'base64')}'`);
  return [
    `script-src ${["'self'", ...hashes].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
  ];
}
