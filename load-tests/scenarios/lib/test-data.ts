/** What load-tests/run.ts has prepared for a run. */
export interface TestData {
  baseUrl: string;
  /** Keys of one unit; a request may take any of them. */
  keys: string[];
  eventId: string;
  /** Free and without a limit. */
  ticketTypeId: string;
  /** Free, with `seats` seats and no waitlist. */
  scarceTypeId: string;
  /** Costs something, without a limit. */
  paidTypeId: string;
  seats: number;
  buyers: number;
  /** Codes of confirmed registrations, for doors. */
  badges: string[];
  doors: { subjectType: string; subjectId: string }[];
  /** Scans a second at the height of a surge, and requests a second elsewhere. */
  rate: number;
  /** How long the height lasts. */
  seconds: number;
  /** Tells the emails of two runs apart. */
  run: string;
  /** Folder of the results. */
  results: string;
}

const text = __ENV.TEST_DATA_FILE ? open(__ENV.TEST_DATA_FILE) : (__ENV.TEST_DATA ?? '{}');

export const testData: TestData = JSON.parse(text);
