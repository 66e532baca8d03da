import { z } from 'zod';
import { eventStatuses } from '../http/events.ts';
import { saleStatuses } from '../http/ticket-types.ts';
import { snapshotType } from './snapshot.ts';

const instant = z.string().nullable();

export const eventSnapshot = snapshotType({
  type: 'catalog.event',
  origin: 'catalog',
  data: z.object({
    status: z.enum(eventStatuses),
    currency: z.string(),
  }),
});

export const ticketTypeSnapshot = snapshotType({
  type: 'catalog.ticket_type',
  origin: 'catalog',
  data: z.object({
    name: z.string(),
    description: z.string().nullable(),
    capacity: z.int().nullable(),
    allowWaitlist: z.boolean(),
    isPublic: z.boolean(),
    requiresApproval: z.boolean(),
    status: z.enum(saleStatuses),
    opensAt: instant,
    closesAt: instant,
    priceAmount: z.int(),
    sortOrder: z.int(),
    createdAt: z.string(),
    perkIds: z.array(z.string()),
  }),
});

export const addonSnapshot = snapshotType({
  type: 'catalog.addon',
  origin: 'catalog',
  data: z.object({ perkIds: z.array(z.string()) }),
});

export const perkSnapshot = snapshotType({
  type: 'catalog.perk',
  origin: 'catalog',
  data: z.object({ name: z.string(), description: z.string().nullable() }),
});
