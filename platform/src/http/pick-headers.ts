import type { IncomingHttpHeaders } from 'node:http';

/** The headers of an allowlist that are present once. All others are dropped. */
export function pickHeaders(
  headers: IncomingHttpHeaders,
  allowed: readonly string[],
): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of allowed) {
    const value = headers[name];
    if (typeof value === 'string') picked[name] = value;
  }
  return picked;
}
