export const timeouts = {
  /** A request waits in the admission queue, otherwise 503. Its caller has given up soon after. */
  admissionMaxWaitMs: 3000,
  /**
   * Longest pause after a busy batch of admission. Buyers that got a seat order the next one
   * meanwhile and join the next batch; one batch of 64 costs a third less than two of 32.
   */
  admissionGatherMs: 4,
  /**
   * A read waits for a due promotion. Without it, a read could show a waitlisted registration
   * although a seat is available.
   */
  promotionBeforeReadMs: 1000,
  /**
   * Catalog returns the ticket types with a waitlist before a batch promotes, while the projections
   * are not confirmed. All requests of the event wait for it.
   */
  promotionOwnerMs: 300,
  /**
   * Onsite says whether a registration was let in, after a change of it. Without its response the
   * change is reported without this fact.
   */
  checkedInMs: 500,
  /** The read of a badge waits for the projections. A scan waits for it. */
  badgeReadAfterMs: 100,
  /** The read of a badge waits for a due promotion. A scan waits for it. */
  badgePromotionMs: 100,
  /**
   * Longest interval of counts of the registrations per day of an event, for which requests wait. A
   * page reads them again after each change, and many operators watch one event.
   */
  dayCountIntervalMs: 2000,
  /**
   * A badge is drawn. The first one loads libraries and fonts, which takes up to a second, and the
   * gateway waits for eight seconds.
   */
  drawBadgeMs: 5000,
  /**
   * A file of 2,000 badges is drawn, which takes some seconds. The console waits for 25 seconds,
   * and an operator for the file.
   */
  drawBadgesMs: 20_000,
  /**
   * A new thread that draws badges has loaded and drawn the first one. Requests meanwhile get a 503
   * after their own time, and a retry does not start from the beginning.
   */
  loadDrawerMs: 30_000,
  /**
   * The thread that draws badges ends after this time without work. It has up to 120 MB, and the
   * next one starts in a second.
   */
  drawIdleMs: 30_000,
};
