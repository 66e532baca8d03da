import { timezoneNames } from './timezone-names.ts';

const spellings = new Map(timezoneNames.map((name) => [name.toLowerCase(), name]));

/**
 * The spelling of an IANA time zone name in the database, or null for any other text. Links such as
 * `US/Pacific` keep their own name. Offsets such as `+02:00` are not zones.
 */
export const timezoneName = (value: string): string | null =>
  spellings.get(value.toLowerCase()) ?? null;
