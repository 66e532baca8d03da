import { p } from '@mikro-orm/core';

/** The columns that every projection has. */
export const projectedColumns = {
  id: p.text().primary(),
  businessUnitId: p.text(),
  eventId: p.text(),
  version: p.bigint('number'),
};

export const perkIdsColumn = () => p.array().columnType('text[]');

/** The index of the records of an event that deliver perks. Most redemption codes deliver none. */
export const perkSourcesOfEvent = (table: string) => ({
  name: `${table}_with_perks`,
  expression: `create index ${table}_with_perks on onsite.${table} (event_id) where perk_ids <> '{}'`,
});
