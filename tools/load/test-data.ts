import { z } from 'zod';

const Door = z.object({ subjectType: z.enum(['event', 'venue']), subjectId: z.string() });

const LoadEvent = z.object({
  businessUnitId: z.string(),
  keys: z.array(z.string()).meta({ description: 'Keys of the business unit' }),
  eventId: z.string(),
  ticketTypeId: z.string().meta({ description: 'Free, with unlimited capacity' }),
  scarceTypeId: z.string().meta({ description: 'With `seats` seats and no waitlist' }),
  paidTypeId: z.string().meta({ description: 'With a price and unlimited capacity' }),
  badges: z.array(z.string()).meta({ description: 'Check-in codes of confirmed registrations' }),
  doors: z.array(Door),
  devices: z
    .array(z.object({ token: z.string(), door: Door }))
    .meta({ description: 'Paired scanners, each at one door' }),
});

/**
 * What a run needs: the records that `load.prepare` has created, and the figures of the scenario.
 */
export const TestData = z.object({
  scenario: z.string(),
  baseUrl: z.string().meta({ description: 'The gateway, as the platform itself calls it' }),
  run: z.string().meta({ description: 'Makes the emails of two runs distinct' }),
  rate: z.number().meta({ description: 'Requests, buyers or scans per second' }),
  seconds: z.number().meta({ description: 'Seconds at the full rate' }),
  seats: z.number(),
  hesitation: z.number().meta({ description: 'Factor of the time that a buyer hesitates' }),
  isFree: z.boolean().meta({ description: 'Whether the scarce seats have no price' }),
  events: z.array(LoadEvent).min(1),
});

export type Door = z.output<typeof Door>;
/** An event under load, with the keys of its business unit. */
export type LoadEvent = z.output<typeof LoadEvent>;
export type TestData = z.output<typeof TestData>;
