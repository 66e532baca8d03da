/** Parameters of a scenario. Its k6 script is the file of the same name in load-tests/scenarios. */
export interface Scenario {
  summary: string;
  units: number;
  /** Events of each business unit. */
  events: number;
  /** The scarce seats of each event. */
  seats: number;
  /** Registrations of each event. */
  badges: number;
  /** Doors of each event. */
  doors: number;
  /** Paired scanners of each event. Each is at one of the doors, one after the other. */
  devices: number;
  /** Requests, buyers or scans per second. */
  rate: number;
  /** Seconds at the full rate. */
  seconds: number;
  /** Factor of the 5 to 120 seconds that a buyer hesitates before paying. */
  hesitation: number;
  /** Four of five scans need a pair of badge and door that was not scanned before. */
  hasFreshScans?: boolean;
  /** The scarce seats of all events are sold out at the end. */
  sellsOut?: boolean;
  /** Uses one key with the default rate limit instead of many keys without a limit. */
  hasOrdinaryKey?: boolean;
}

/** What a run can change about its scenario. */
export type Overrides = Partial<
  Pick<Scenario, 'rate' | 'seconds' | 'seats' | 'hesitation' | 'units' | 'events'>
>;

const nothing = {
  units: 1,
  events: 1,
  seats: 1,
  badges: 0,
  doors: 1,
  devices: 0,
  rate: 1,
  seconds: 1,
  hesitation: 0.02,
};

/** The longest that a buyer hesitates, before the factor. */
export const longestHesitationSeconds = 120;

export const scenarios = {
  smoke: {
    ...nothing,
    rate: 2,
    seconds: 10,
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
    rate: 20,
    seconds: 50,
    sellsOut: true,
    summary: '20 buyers per second for 100 seats; one of five leaves without paying',
  },
  'checkin-surge': {
    ...nothing,
    units: 2,
    events: 2,
    seats: 1000,
    badges: 250,
    doors: 12,
    devices: 12,
    rate: 300,
    seconds: 30,
    hasFreshScans: true,
    summary: 'doors of four events open: 0 to 300 scans per second in 30 s, beside a sale',
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
  limiter: {
    ...nothing,
    rate: 15,
    seconds: 20,
    hasOrdinaryKey: true,
    summary: 'one key above its rate limit',
  },
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof scenarios;

export const scenarioNames = Object.keys(scenarios) as ScenarioName[];

/** A reason why a scenario cannot run with its figures, at the figure that is wrong. */
interface Misfit {
  field: keyof Overrides;
  issue: string;
}

/** Returns the scenario with the overrides, or why it cannot run with them. */
export function scenarioOf(
  name: ScenarioName,
  overrides: Overrides = {},
): { outcome: 'fits'; scenario: Scenario } | ({ outcome: 'misfit' } & Misfit) {
  const present = Object.entries(overrides).filter(([, value]) => value !== undefined);
  const scenario: Scenario = { ...scenarios[name], ...Object.fromEntries(present) };
  const misfit = misfitOf(scenario);
  return misfit ? { outcome: 'misfit', ...misfit } : { outcome: 'fits', scenario };
}

function misfitOf(scenario: Scenario): Misfit | undefined {
  const { rate, seconds, seats, hesitation } = scenario;
  const events = scenario.units * scenario.events;
  const scans = rate * (seconds + 15);
  if (scenario.hasFreshScans && scans * 0.8 > events * scenario.badges * scenario.doors) {
    return {
      field: 'seconds',
      issue: `is too long: there are not enough badges for ${scans} scans; reduce the rate or the duration`,
    };
  }
  // A seat can be left several times, and each time a later buyer must come for it.
  const needed = Math.ceil((events * seats) / rate + 4 * hesitation * longestHesitationSeconds);
  if (scenario.sellsOut && seconds < needed) {
    return {
      field: 'seconds',
      issue: `is too short to sell the seats that buyers leave again; at least ${needed}`,
    };
  }
  return undefined;
}
