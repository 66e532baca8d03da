import { defineEntity, p } from '@mikro-orm/core';

/**
 * A closed day of the journal, in UTC. Nothing is posted in it any more; its digests are stored
 * with it. The closed days have no gap.
 */
export const JournalDay = defineEntity({
  name: 'JournalDay',
  tableName: 'journal_day',
  properties: {
    /** In the form `2026-11-28`. */
    day: p.text().primary(),
    closedAt: p.datetime(3),
  },
  triggers: [
    {
      name: 'immutable',
      timing: 'before',
      events: ['update', 'delete'],
      body: `raise exception 'closed days are never changed';`,
    },
  ],
});
