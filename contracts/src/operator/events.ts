import { z } from 'zod';
import { Event } from '../http/events.ts';
import { text } from '../http/fields.ts';
import { operation } from '../operation.ts';
import { eventScope } from './perks.ts';

export const setEventFeatures = operation({
  method: 'POST',
  url: '/operator/event.setFeatures',
  config: {
    tag: 'Events',
    owner: 'catalog',
    audience: 'operator',
    operationId: 'event.setFeatures',
    summary: 'Replace the features of an event',
  },
  schema: {
    body: z.object({ ...eventScope, features: z.array(text({ min: 1, max: 64 })).max(100) }),
    response: { 200: Event },
  },
});
