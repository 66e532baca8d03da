import { z } from 'zod';
import { overruleReasons } from '../http/checkin-batch.ts';
import { Checkin } from '../http/checkins.ts';
import { listOf, timestampOut } from '../http/fields.ts';
import { operation } from '../operation.ts';
import { pageFields } from './page.ts';
import { eventScope } from './reference.ts';

const source = z.string().nullable().meta({
  description: 'The device, key or operator. Null if it is unknown.',
  example: 'dev_01k8zq4m3ne7rbj5t2xw9vd6ah',
});

const described = {
  id: z.string().meta({
    description: 'The id of the scan; of an undo, the id of the check-in.',
    example: 'scan-0417',
  }),
  recordedAt: timestampOut().meta({ description: 'When the server learned of it.' }),
  checkin: Checkin.meta({ description: 'The check-in at the door, as it is now.' }),
  name: z.string().nullable().meta({
    description: 'The name of the registration. Null if it is unknown or erased.',
    example: 'Ada Lovelace',
  }),
  source,
};

const scan = {
  ...described,
  occurredAt: timestampOut().meta({ description: 'When the badge was scanned.' }),
};

/** A scan or an undo that a person may have to look at. */
export const Conflict = z.discriminatedUnion('kind', [
  z
    .object({
      kind: z.literal('contested'),
      ...scan,
      other: z
        .object({ source, occurredAt: timestampOut() })
        .meta({ description: 'The scan that has become the check-in.' }),
      first: z.enum(['this', 'other', 'unknown']).meta({
        description: 'Which scan was first, if the clocks can tell.',
      }),
    })
    .meta({ description: 'A second device has let the same badge in at the same door.' }),
  z
    .object({
      kind: z.literal('overruled'),
      ...scan,
      reason: z.enum(overruleReasons).meta({ description: 'What would have been rejected.' }),
    })
    .meta({ description: 'A device has let in a person that the server would have rejected.' }),
  z
    .object({
      kind: z.literal('undone'),
      ...described,
      reason: z.string().meta({ description: 'What the person who undid it has entered.' }),
    })
    .meta({ description: 'A check-in was undone.' }),
]);

export const listConflicts = operation({
  method: 'POST',
  url: '/operator/checkin.listConflicts',
  config: {
    tag: 'Check-ins',
    owner: 'onsite',
    audience: 'operator',
    operationId: 'checkin.listConflicts',
    isRead: true,
    permission: 'checkins.read',
    summary: 'List contested scans, overruled scans and undone check-ins of an event, newest first',
    description:
      'Contested and overruled scans come from devices that have decided offline. They are listed for 90 days.',
  },
  schema: {
    body: z.object({ ...eventScope, ...pageFields }),
    response: { 200: listOf('conflicts', Conflict) },
  },
});
