import { z } from 'zod';
import { Change } from '../http/changes.ts';
import { listOf } from '../http/fields.ts';
import { operation } from '../operation.ts';
import { pageFields } from './page.ts';
import { eventScope, reference } from './reference.ts';

export const findChanges = operation({
  method: 'POST',
  url: '/operator/change.find',
  config: {
    tag: 'Changes',
    owner: 'changes',
    audience: 'operator',
    operationId: 'change.find',
    isRead: true,
    permission: 'changes',
    summary: 'Find the changes of one record, newest first',
    description:
      'Those that the feed contains: of the last 90 days and of its present epoch. An unknown business unit or record ' +
      'yields an empty list.',
  },
  schema: {
    body: z.object({
      businessUnitId: eventScope.businessUnitId,
      objectId: reference(
        ['ord', 'reg', 'evt', 'tt', 'addon', 'bdl', 'code', 'ses', 'spk', 'ven', 'exh', 'whe'],
        'A record that the feed covers, such as an order or a registration',
      ),
      ...pageFields,
    }),
    response: { 200: listOf('changes', Change) },
  },
});
