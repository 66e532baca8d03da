/**
 * Returns the number of the pair of badge and door for scan `turn`: four new pairs, then a repeat
 * of the first pair of the previous round.
 */
export function placeOf(turn: number): { place: number; isRepeat: boolean } {
  const round = Math.floor(turn / 5);
  const isRepeat = turn % 5 === 4;
  // Round 0 repeats its own first pair. Later rounds repeat a scan that was completed long before.
  if (isRepeat) return { place: Math.max(0, round - 1) * 4, isRepeat };
  return { place: round * 4 + (turn % 5), isRepeat };
}

/** An event as far as a scan needs it. */
interface Doors<Device> {
  badges: readonly string[];
  devices: readonly Device[];
}

/**
 * The badge and the scanner of pair number `place`: first every badge of every event at the first
 * scanner of its event, then at the second one. Undefined beyond the last pair.
 */
export function scanAt<Device, Event extends Doors<Device>>(
  events: readonly (Event & Doors<Device>)[],
  place: number,
): { event: Event; badge: string; device: Device } | undefined {
  const event = events[place % events.length];
  const within = Math.floor(place / events.length);
  const badges = event?.badges.length ?? 0;
  const badge = event?.badges[within % badges];
  const device = event?.devices[Math.floor(within / badges)];
  return event && badge !== undefined && device !== undefined
    ? { event, badge, device }
    : undefined;
}
