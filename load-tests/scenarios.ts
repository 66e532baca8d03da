/** What a scenario needs before it begins. Its behaviour is in the file of its name in `scenarios/`. */
export interface Scenario {
  summary: string;
  seats: number;
  buyers: number;
  badges: number;
  doors: number;
  /** Requests, orders or scans a second. */
  rate: number;
  /** How long the height lasts. */
  seconds: number;
  /** Badges and doors have to last for all scans, but for every fifth. */
  hasFreshScans?: boolean;
  /** One key with the limit that everybody has, instead of many without. */
  hasOrdinaryKey?: boolean;
}

const nothing = { seats: 1, buyers: 0, badges: 0, doors: 1, rate: 1, seconds: 1 };

export const scenarios: Record<string, Scenario> = {
  smoke: {
    ...nothing,
    summary: 'a little of everything that there is to read, and a registration',
  },
  browse: {
    ...nothing,
    rate: 100,
    seconds: 30,
    summary: 'reads, as the pages of a shop make them',
  },
  'on-sale': {
    ...nothing,
    seats: 100,
    buyers: 1000,
    summary: 'a thousand buyers for a hundred seats: a hundred are sold',
  },
  'checkin-surge': {
    ...nothing,
    badges: 1000,
    doors: 12,
    hasFreshScans: true,
    rate: 300,
    seconds: 30,
    summary: 'doors open: 0 to 300 scans a second in 30 s, every fifth a repeat',
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
    summary: 'a mixture at an even pace for half an hour',
  },
  limiter: { ...nothing, hasOrdinaryKey: true, summary: 'one key beyond its limit' },
};

/** The scenario of this name, smaller or larger where asked for.
 *  Errors: no such scenario; badges and doors that would not last for all scans. */
export function scenarioOf(
  name: string,
  overrides: { rate?: number; seconds?: number; buyers?: number } = {},
): Scenario {
  const found = scenarios[name];
  if (!found)
    throw new Error(`no scenario ${name}: there are ${Object.keys(scenarios).join(', ')}`);
  const present = Object.fromEntries(
    Object.entries(overrides).filter(([, value]) => value !== undefined),
  );
  const scenario: Scenario = { ...found, ...present };
  const scans = scenario.rate * (scenario.seconds + 15);
  if (scenario.hasFreshScans && scans * 0.8 > scenario.badges * scenario.doors) {
    throw new Error(`${scans} scans are more than the badges last for: ask for fewer`);
  }
  return scenario;
}
