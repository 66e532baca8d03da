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

/**
 * The code as the platform stores it: without spaces, in upper case. What is no code of a badge is
 * shown as an unknown one, so it is only cut off. Null for nothing.
 */
export const normalCode = (text: string): string | null =>
  [...text.replaceAll(/\s/g, '').toUpperCase()].slice(0, maxLength).join('') || null;
