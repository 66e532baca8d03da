/** A camera sees a badge many times. The same code within this time is the same showing of the badge. */
const sameShowingMs = 3000;

/** When each code in front of the camera was seen last. Times are milliseconds. */
export type Seen = ReadonlyMap<string, number>;

/**
 * Whether a code is a new showing of a badge, with what to remember. There may be several codes in the picture, for example two
 * badges.
 */
export function see(before: Seen, code: string, at: number): { isNew: boolean; seen: Seen } {
  const seen = new Map([...before].filter(([, seenAt]) => at - seenAt <= sameShowingMs));
  const isNew = !seen.has(code);
  return { isNew, seen: seen.set(code, at) };
}

/** The code as the platform stores it: without space around it, in upper case. Null for what cannot be a code. */
export function normalCode(text: string): string | null {
  const code = text.trim().toUpperCase();
  return /^\S{1,200}$/.test(code) ? code : null;
}
