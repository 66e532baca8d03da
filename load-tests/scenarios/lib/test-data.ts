export interface Door {
  subjectType: 'event' | 'venue';
  subjectId: string;
}

/** Records that load-tests/prepare.ts creates for a run. */
export interface TestData {
  baseUrl: string;
  /** Keys of one business unit; each request uses one of them. */
  keys: string[];
  eventId: string;
  /** Free, with unlimited capacity. */
  ticketTypeId: string;
  /** Free, with `seats` seats and no waitlist. */
  scarceTypeId: string;
  /** Paid, with unlimited capacity. */
  paidTypeId: string;
  seats: number;
  buyers: number;
  /** Check-in codes of confirmed registrations. */
  badges: string[];
  doors: Door[];
  /** Paired scanners, each at one door. */
  devices: { token: string; door: Door }[];
  /** Scans per second at the peak of a surge; requests per second in other scenarios. */
  rate: number;
  /** Seconds at the full rate. */
  seconds: number;
  /** Makes the emails of two runs distinct. */
  run: string;
  /** Directory of the results. */
  results: string;
}

const text = __ENV.TEST_DATA_FILE ? open(__ENV.TEST_DATA_FILE) : (__ENV.TEST_DATA ?? '{}');

export const testData: TestData = JSON.parse(text);
