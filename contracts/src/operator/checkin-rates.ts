import { z } from 'zod';
import { subjectTypes } from '../http/checkins.ts';
import { timestampOut } from '../http/fields.ts';
import { operation } from '../operation.ts';
import { eventScope } from './reference.ts';

/** How many minutes the rates of doors go back. */
export const ratedMinutes = 30;

/** How many people have checked in at each door in each of the last minutes. */
export const CheckinRates = z.object({
  until: timestampOut().meta({ description: 'The end of the last minute: when it was counted.' }),
  doors: z
    .array(
      z.object({
        subjectType: z.enum(subjectTypes),
        subjectId: z.string(),
        perMinute: z
          .array(z.number().int())
          .length(ratedMinutes)
          .meta({ description: 'The number of each minute, the oldest first.' }),
      }),
    )
    .meta({ description: 'The doors with check-ins in these minutes.' }),
});

export const countCheckinsPerMinute = operation({
  method: 'POST',
  url: '/operator/checkin.countPerMinute',
  config: {
    tag: 'Check-ins',
    owner: 'onsite',
    audience: 'operator',
    operationId: 'checkin.countPerMinute',
    isRead: true,
    permission: ['doors', 'summary.read'],
    summary: 'Count the check-ins of each door in each of the last 30 minutes',
    description:
      'A check-in counts in the minute of its `checkedInAt`: that of a device without a network when the badge was scanned, ' +
      'not when the device has sent it. Undone check-ins do not count. The counts are up to two seconds old.',
  },
  schema: { body: z.object(eventScope), response: { 200: CheckinRates } },
});
