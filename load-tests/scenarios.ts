/** Parameters of a scenario. Its k6 script is the file of the same name in `scenarios/`. */
export interface Scenario {
  summary: string;
  seats: number;
  buyers: number;
  badges: number;
  doors: number;
  /** Paired scanners. Each is at one of the doors, one after the other. */
  devices: number;
  /** Requests, orders or scans per second. */
  rate: number;
  /** Seconds at the full rate. */
  seconds: number;
  /** Four of five scans need a pair of badge and door that was not scanned before. */
  hasFreshScans?: boolean;
  /** Uses one key with the default rate limit instead of many keys without a limit. */
  hasOrdinaryKey?: boolean;
}

const nothing = { seats: 1, buyers: 0, badges: 0, doors: 1, devices: 0, rate: 1, seconds: 1 };

export const scenarios: Record<string, Scenario> = {
  smoke: {
    ...nothing,
    summary: 'several reads, a registration and its cancellation, at a low rate',
  },
  browse: {
    ...nothing,
    rate: 100,
    seconds: 30,
    summary: 'reads as the pages of a ticket shop send them',
  },
  'on-sale': {
    ...nothing,
    seats: 100,
    buyers: 1000,
    summary: '1000 buyers for 100 seats: exactly 100 are sold',
  },
  'checkin-surge': {
    ...nothing,
    badges: 1000,
    doors: 12,
    hasFreshScans: true,
    rate: 300,
    seconds: 30,
    summary: 'doors open: 0 to 300 scans per second in 30 s, every fifth a repeat',
  },
  'offline-return': {
    ...nothing,
    badges: 500,
    // The last four have no device: single scans go there.
    doors: 204,
    devices: 200,
    rate: 20,
    seconds: 90,
    summary: '200 devices come back with 500 scans each within 10 s, beside single scans',
  },
  roster: {
    ...nothing,
    badges: 500,
    devices: 200,
    rate: 20,
    seconds: 60,
    summary: '200 devices read what has changed every 5 s while people register',
  },
  'order-lifecycle': {
    ...nothing,
    rate: 20,
    seconds: 30,
    summary: 'orders placed, confirmed, paid or cancelled, and read',
  },
  soak: {
    ...nothing,
    badges: 200,
    doors: 3,
    rate: 20,
    seconds: 1800,
    summary: 'a constant mix for half an hour',
  },
  limiter: { ...nothing, hasOrdinaryKey: true, summary: 'one key above its rate limit' },
};

/**
 * Returns the scenario with this name, with the given overrides.
 * Errors: no such scenario; fewer pairs of badge and door than scans.
 */
export function scenarioOf(
  name: string,
  overrides: { rate?: number; seconds?: number; buyers?: number } = {},
): Scenario {
  const found = scenarios[name];
  if (!found)
    throw new Error(`unknown scenario ${name}; available: ${Object.keys(scenarios).join(', ')}`);
  const present = Object.fromEntries(
    Object.entries(overrides).filter(([, value]) => value !== undefined),
  );
  const scenario: Scenario = { ...found, ...present };
  const scans = scenario.rate * (scenario.seconds + 15);
  if (scenario.hasFreshScans && scans * 0.8 > scenario.badges * scenario.doors) {
    throw new Error(`not enough badges for ${scans} scans; reduce the rate or the duration`);
  }
  return scenario;
}
