import { p } from '@mikro-orm/core';

/** The columns that every projection has. */
export const projectedColumns = {
  id: p.text().primary(),
  businessUnitId: p.text(),
  eventId: p.text(),
  version: p.bigint('number'),
};
