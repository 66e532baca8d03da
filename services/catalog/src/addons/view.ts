import type { Addon as AddonContract } from '@event-api/contracts/http/addons';
import type { SaleStatus } from '@event-api/contracts/http/ticket-types';
import type { z } from 'zod';

/** The columns of an add-on that are shown. */
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

/** An add-on as the API shows it. */
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
