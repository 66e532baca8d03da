import { type CursorKey, decodeCursor } from '@event-api/platform/http/page';

/** Where a record stands in a list that is ordered by `sortOrder`, then by age. */
export type OrderKey = readonly [sortOrder: number, createdAt: string, id: string];

export const orderKey = (row: { sortOrder: number; createdAt: Date; id: string }): CursorKey => [
  row.sortOrder,
  row.createdAt.toISOString(),
  row.id,
];

/** The key that a cursor carries, or null without one. Errors: 400. */
export const decodeOrderKey = (list: string, cursor: string | undefined): OrderKey | null =>
  decodeCursor(list, cursor, ['integer', 'instant', 'string'] as const);
