import type { Addon as AddonContract } from '@event-api/contracts/http/addons';
import type { SaleStatus } from '@event-api/contracts/http/ticket-types';
import type { z } from 'zod';

/** An add-on as the API returns it. */
export interface AddonRow {
  id: string;
  eventId: string;
  name: string;
  description?: string | null;
  status: SaleStatus;
  priceAmount: number;
  sortOrder: number;
  createdAt: Date;
}

/** The response body of an add-on. */
export function addonView(row: AddonRow): z.input<typeof AddonContract> {
  return {
    id: row.id,
    eventId: row.eventId,
    name: row.name,
    description: row.description ?? null,
    status: row.status,
    priceAmount: row.priceAmount,
    sortOrder: row.sortOrder,
    createdAt: row.createdAt.toISOString(),
  };
}
