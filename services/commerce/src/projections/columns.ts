import { p } from '@mikro-orm/core';

/** Columns that every projection table has. */
export const projectionColumns = {
  id: p.text().primary(),
  businessUnitId: p.text(),
  eventId: p.text(),
  version: p.bigint('number'),
};
