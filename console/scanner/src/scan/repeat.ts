/**
 * A camera sees a badge many times. The same code within this time is the same showing of the
 * badge.
 */
const sameShowingMs = 3000;

/** When each code in front of the camera was seen last. Times are milliseconds. */
export type Seen = ReadonlyMap<string, number>;

/**
 * Whether a code is a new showing of a badge, with what to remember. There may be several codes in
 * the picture, for example two badges.
 */
export function see(before: Seen, code: string, at: number): { isNew: boolean; seen: Seen } {
  const seen = new Map([...before].filter(([, seenAt]) => at - seenAt <= sameShowingMs));
  const isNew = !seen.has(code);
  return { isNew, seen: seen.set(code, at) };
}

/** The platform accepts no longer code. */
const maxLength = 200;

/** The symbology that a scanner can be set to type before a code, such as `]Q1` for a QR code. */
const aimPrefix = /^\][A-Z][0-9A-F]/;

/**
 * The code as the platform stores it: without what the scanner types before it, without spaces, in
 * upper case. What is no code of a badge is shown as an unknown one, so it is only cut off. Null for
 * nothing.
 */
export function normalCode(text: string, prefix = ''): string | null {
  const plain = (part: string) => part.replaceAll(/\s/g, '').toUpperCase();
  const code = plain(text);
  const own = plain(prefix);
  const rest = own && code.startsWith(own) ? code.slice(own.length) : code;
  return [...rest.replace(aimPrefix, '')].slice(0, maxLength).join('') || null;
}
