/**
 * What a response has shown: how far the clock of the device is behind that of the platform, and
 * when that was.
 */
let observed: { offsetMs: number; wallMs: number; pageMs: number } | null = null;

/** The clock of the platform is known within this, in milliseconds. */
const toleranceMs = 2000;

/**
 * Remembers the clock of the platform from the `Date` of a response, which is at most a second old.
 */
export function observeClock(date: string | null): void {
  const instant = Date.parse(date ?? '');
  if (Number.isNaN(instant)) return;
  const wallMs = Date.now();
  observed = { offsetMs: instant + 500 - wallMs, wallMs, pageMs: performance.now() };
}

/** A moment by all clocks of the device. */
export interface Moment {
  wallMs: number;
  /** Milliseconds since the page was opened. A correction of the clock does not change them. */
  pageMs: number;
  /** Which opening of the page `pageMs` belongs to. */
  pageId: string;
  /**
   * How far the clock is behind that of the platform. Null if no response has shown it since the
   * clock has jumped.
   */
  offsetMs: number | null;
}

const pageId = `${Date.now()} ${Math.random()}`;

export function now(): Moment {
  const wallMs = Date.now();
  const pageMs = performance.now();
  // A sleep of the device and a correction of its clock look the same.
  const hasJumped =
    observed !== null &&
    Math.abs(wallMs - observed.wallMs - (pageMs - observed.pageMs)) > toleranceMs;
  const offsetMs = hasJumped ? null : (observed?.offsetMs ?? null);
  return { wallMs, pageMs, pageId, offsetMs };
}

/** The time of the platform at a moment; null if nothing has shown how far the clock is off. */
export const platformTime = ({ wallMs, offsetMs }: Moment): string | null =>
  offsetMs === null ? null : new Date(wallMs + offsetMs).toISOString();

/** The time by which the device decides: that of the platform, as far as it is known. */
export const decisionTime = ({ wallMs, offsetMs }: Moment): Date =>
  new Date(wallMs + (offsetMs ?? 0));

/**
 * When something happened, by the clock that the device has when it is sent, and how far that may
 * be wrong, in milliseconds. If responses have shown the clock of the platform at both moments, the
 * time of day counts, without what it was corrected by. Otherwise the time since the page was
 * opened counts, which no correction of the clock changes but which stands still while the device
 * sleeps. If the page was opened again since, only the times of day are left, and nothing says how
 * far they are wrong.
 */
export function timeOf(past: Moment, sent: Moment): { at: Date; uncertaintyMs: number } {
  const byDay = sent.wallMs - past.wallMs;
  const { ageMs, uncertaintyMs } = ageOf(past, sent, byDay);
  return {
    at: new Date(sent.wallMs - Math.max(0, ageMs)),
    uncertaintyMs: Math.min(Math.round(uncertaintyMs), maxUncertaintyMs),
  };
}

function ageOf(past: Moment, sent: Moment, byDay: number) {
  if (past.offsetMs !== null && sent.offsetMs !== null) {
    const correctionMs = sent.offsetMs - past.offsetMs;
    // Responses give whole seconds: a small difference shows no correction, and would date a scan
    // wrongly by up to a second.
    const wasCorrected = Math.abs(correctionMs) > toleranceMs;
    return { ageMs: byDay + (wasCorrected ? correctionMs : 0), uncertaintyMs: 0 };
  }
  if (past.pageId !== sent.pageId) return { ageMs: byDay, uncertaintyMs: maxUncertaintyMs };
  const byPage = sent.pageMs - past.pageMs;
  return { ageMs: byPage, uncertaintyMs: Math.abs(byDay - byPage) };
}

/** The largest that a batch may have: a day. */
const maxUncertaintyMs = 86_400_000;
