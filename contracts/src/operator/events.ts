import { z } from 'zod';
import { Event } from '../http/events.ts';
import { line, listOf } from '../http/fields.ts';
import { operation } from '../operation.ts';
import { pageFields } from './page.ts';
import { eventScope } from './reference.ts';

export const listEvents = operation({
  method: 'POST',
  url: '/operator/event.list',
  config: {
    tag: 'Events',
    owner: 'catalog',
    audience: 'operator',
    operationId: 'event.list',
    isRead: true,
    permission: 'catalog.read',
    summary: 'List the events of a business unit, newest first',
    description: 'An unknown business unit yields an empty list.',
  },
  schema: {
    body: z.object({ businessUnitId: eventScope.businessUnitId, ...pageFields }),
    response: { 200: listOf('events', Event) },
  },
});

export const setEventFeatures = operation({
  method: 'POST',
  url: '/operator/event.setFeatures',
  config: {
    tag: 'Events',
    owner: 'catalog',
    audience: 'operator',
    operationId: 'event.setFeatures',
    permission: 'design',
    summary: 'Replace the features of an event',
  },
  schema: {
    body: z.object({
      ...eventScope,
      features: z
        .array(line({ min: 1, max: 64 }).meta({ example: 'agenda' }))
        .max(100)
        .meta({ description: 'The features of the event, which replace the previous ones' }),
    }),
    response: { 200: Event },
  },
});
