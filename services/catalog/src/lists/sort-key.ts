import type { SaleStatus } from '@event-api/contracts/http/ticket-types';
import type { ListIndex, ListOrder } from '@event-api/platform/db/list';
import type { OwnOrder } from '@event-api/platform/http/list-page';

/** The sort key of a list by `sortOrder`, then oldest first. */
export const sortOrderKey: OwnOrder<{ sortOrder: number; createdAt: Date; id: string }> = {
  keyTypes: ['integer', 'instant', 'string'],
  keyOf: ({ sortOrder, createdAt, id }) => [sortOrder, createdAt.toISOString(), id],
  start: [-1, '-infinity', ''],
};

/** Orders by `sortOrder`, then oldest first. The id orders records of the same millisecond. */
export const inSortOrder = <Filter extends string>(
  alias: string,
  indexes: readonly ListIndex<Filter>[],
): ListOrder<Filter> => ({
  name: '',
  after: (sortOrder, createdAt, id) =>
    `(${alias}.sort_order, ${alias}.created_at, ${alias}.id) > (${sortOrder}::int, ${createdAt}::timestamptz, ${id}::text)`,
  by: `${alias}.sort_order, ${alias}.created_at, ${alias}.id`,
  indexes,
});

/** A page of a list of ticket types, add-ons or bundles. */
export interface SalePage {
  filters: { status?: SaleStatus | undefined };
  after: readonly unknown[];
  limit: number;
}
