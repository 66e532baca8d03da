/** What a response has shown: how far the clock of the device is behind that of the platform, and when that was. */
let observed: { offsetMs: number; wallMs: number; pageMs: number } | null = null;

/** The clock of the platform is known within this, in milliseconds. */
const toleranceMs = 2000;

/** Remembers the clock of the platform from the `Date` of a response, which is at most a second old. */
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
  /** How far the clock is behind that of the platform. Null if no response has shown it since the clock has jumped. */
  offsetMs: number | null;
}

const pageId = crypto.randomUUID();

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

/**
 * When something happened, by the clock that the device has when it is sent, and how far that may be wrong, in milliseconds. If
 * the clock was as far off then as now, the difference of the times of day counts: it includes a time in which the device slept.
 * Otherwise the clock was corrected in between, and the time since the page was opened counts. If the page was opened again
 * since, only the times of day are left, and the correction is the uncertainty.
 */
export function timeOf(past: Moment, sent: Moment): { at: Date; uncertaintyMs: number } {
  const byDay = sent.wallMs - past.wallMs;
  const byPage = sent.pageId === past.pageId ? sent.pageMs - past.pageMs : null;
  const jumpMs =
    past.offsetMs === null || sent.offsetMs === null
      ? null
      : Math.abs(sent.offsetMs - past.offsetMs);
  const isSteady = jumpMs !== null && jumpMs <= toleranceMs;
  const [ageMs, uncertaintyMs] =
    isSteady || byPage === null
      ? [byDay, isSteady ? 0 : (jumpMs ?? 0)]
      : [byPage, jumpMs === null ? Math.abs(byDay - byPage) : 0];
  return {
    at: new Date(sent.wallMs - Math.max(0, ageMs)),
    uncertaintyMs: Math.min(Math.round(uncertaintyMs), maxUncertaintyMs),
  };
}

const maxUncertaintyMs = 86_400_000;
