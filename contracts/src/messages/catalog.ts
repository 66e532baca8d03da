import { z } from 'zod';
import { bundleItemTypes } from '../http/bundles.ts';
import {
  attendanceModes,
  CapacityGroup,
  cancellationRefunds,
  eventStatuses,
} from '../http/events.ts';
import { FormQuestion } from '../http/forms.ts';
import { RefundPolicy } from '../http/refund-policies.ts';
import { AppliedTaxRate } from '../http/tax-rates.ts';
import { saleStatuses } from '../http/ticket-types.ts';
import { snapshotType } from './snapshot.ts';

const instant = z.string().nullable();
// The previous release publishes none.
const admissionTimes = {
  admissionOpensAt: instant.default(null),
  admissionClosesAt: instant.default(null),
};

// The previous release publishes none.
const perOrderLimits = {
  minPerOrder: z.int().nullable().default(null),
  maxPerOrder: z.int().nullable().default(null),
};

// The previous release publishes none.
const tax = {
  taxRateId: z.string().nullable().default(null),
  taxRate: AppliedTaxRate.nullable().default(null),
};

export const eventSnapshot = snapshotType({
  type: 'catalog.event',
  origin: 'catalog',
  data: z.object({
    name: z.string(),
    status: z.enum(eventStatuses),
    startsAt: instant,
    endsAt: instant,
    ...admissionTimes,
    /** Null from the previous release. */
    timezone: z.string().nullable().default(null),
    currency: z.string(),
    /** Never becomes false again; the currency is then fixed. */
    currencyLocked: z.boolean(),
    /** How often the start has moved to another date. A higher number clears the agenda. */
    agendaVersion: z.int().min(0),
    /** The questions that orders and registrations answer; null if there are none. */
    form: z.array(FormQuestion).nullable(),
    /** The previous release publishes none. */
    capacityGroups: z.array(CapacityGroup).default([]),
    /** The refund policy; null if there is none, and from the previous release. */
    refundPolicy: RefundPolicy.nullable().default(null),
    /** Null for an event that takes place, and from the previous release. */
    cancelledAt: instant.default(null),
    /** What a cancellation pays back. */
    cancellationRefund: z.enum(cancellationRefunds).nullable().default(null),
    // The previous release publishes neither.
    attendanceMode: z.enum(attendanceModes).default('in_person'),
    country: z.string().nullable().default(null),
  }),
});

export const ticketTypeSnapshot = snapshotType({
  type: 'catalog.ticket_type',
  origin: 'catalog',
  data: z.object({
    name: z.string(),
    description: z.string().nullable(),
    capacity: z.int().nullable(),
    /** The previous release publishes none. */
    capacityGroupId: z.string().nullable().default(null),
    allowWaitlist: z.boolean(),
    isPublic: z.boolean(),
    requiresApproval: z.boolean(),
    status: z.enum(saleStatuses),
    opensAt: instant,
    closesAt: instant,
    ...admissionTimes,
    priceAmount: z.int(),
    ...tax,
    ...perOrderLimits,
    sortOrder: z.int(),
    createdAt: z.string(),
    perkIds: z.array(z.string()),
  }),
});

export const addonSnapshot = snapshotType({
  type: 'catalog.addon',
  origin: 'catalog',
  data: z.object({
    name: z.string(),
    description: z.string().nullable(),
    status: z.enum(saleStatuses),
    // The previous release publishes neither these nor the limits.
    capacity: z.int().nullable().default(null),
    opensAt: instant.default(null),
    closesAt: instant.default(null),
    priceAmount: z.int(),
    ...tax,
    ...perOrderLimits,
    sortOrder: z.int(),
    perkIds: z.array(z.string()),
  }),
});

export const bundleSnapshot = snapshotType({
  type: 'catalog.bundle',
  origin: 'catalog',
  data: z.object({
    name: z.string(),
    description: z.string().nullable(),
    /** The bundles of the previous release have no status and are on sale. */
    status: z.enum(saleStatuses).default('open'),
    /** Null: the sum of its items. */
    priceAmount: z.int().nullable(),
    ...tax,
    sortOrder: z.int(),
    /** In display order. */
    items: z.array(
      z.object({ itemType: z.enum(bundleItemTypes), itemId: z.string(), quantity: z.int() }),
    ),
  }),
});

export const perkSnapshot = snapshotType({
  type: 'catalog.perk',
  origin: 'catalog',
  data: z.object({ name: z.string(), description: z.string().nullable() }),
});
