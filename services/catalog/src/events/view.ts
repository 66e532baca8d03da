import type { Event as EventContract, EventStatus } from '@event-api/contracts/http/events';
import type { z } from 'zod';

/** An event as the API returns it. */
export interface EventRow {
  id: string;
  publicId: string;
  name: string;
  status: EventStatus;
  startsAt?: Date | null;
  endsAt?: Date | null;
  timezone: string;
  currency: string;
  features: string[];
  publishedAt?: Date | null;
  createdAt: Date;
}

/** The response body of an event. */
export function eventView(row: EventRow): z.input<typeof EventContract> {
  return {
    id: row.id,
    publicId: row.publicId,
    name: row.name,
    status: row.status,
    startsAt: row.startsAt?.toISOString() ?? null,
    endsAt: row.endsAt?.toISOString() ?? null,
    timezone: row.timezone,
    currency: row.currency,
    features: row.features,
    publishedAt: row.publishedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
