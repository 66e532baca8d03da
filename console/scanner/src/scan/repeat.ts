/** A camera sees a badge many times. The same code within this time is the same showing of the badge. */
const sameShowingMs = 3000;

/** A code that was read, and when it was seen last. */
export interface Seen {
  code: string;
  at: number;
}

/** Whether a code is a new showing of a badge, with what to remember for the next one. Times are milliseconds. */
export function see(last: Seen | null, code: string, at: number): { isNew: boolean; seen: Seen } {
  const isNew = last === null || last.code !== code || at - last.at > sameShowingMs;
  return { isNew, seen: { code, at } };
}

/** The code as the platform stores it: without space around it, in upper case. Null for what cannot be a code. */
export function normalCode(text: string): string | null {
  const code = text.trim().toUpperCase();
  return /^\S{1,200}$/.test(code) ? code : null;
}
