import { z } from 'zod';
import { id } from '../http/fields.ts';
import { operation } from '../operation.ts';
import { eventScope } from './reference.ts';

/** What an event wants at its doors. */
export const DoorRules = z.object({ eventId: id('evt'), refuseIfFormerInside: z.boolean() });

export type DoorRules = z.infer<typeof DoorRules>;

export const setDoorRules = operation({
  method: 'POST',
  url: '/operator/event.setDoorRules',
  config: {
    tag: 'Events',
    owner: 'onsite',
    audience: 'operator',
    operationId: 'event.setDoorRules',
    permission: 'design',
    summary:
      'Set whether a badge is refused at a door where the former badge of its ticket was let in before a transfer',
  },
  schema: {
    body: z.object({
      ...eventScope,
      refuseIfFormerInside: z.boolean().meta({
        description: 'Without it, such a badge counts as a second scan of the same ticket.',
      }),
    }),
    response: { 200: DoorRules },
  },
});

export const getDoorRules = operation({
  method: 'POST',
  url: '/operator/event.getDoorRules',
  config: {
    tag: 'Events',
    owner: 'onsite',
    audience: 'operator',
    operationId: 'event.getDoorRules',
    isRead: true,
    permission: 'settings.read',
    summary: 'Read the rules of the doors of an event',
  },
  schema: { body: z.object(eventScope), response: { 200: DoorRules } },
});
