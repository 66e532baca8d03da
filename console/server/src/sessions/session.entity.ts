import { defineEntity, p } from '@mikro-orm/core';

/** A signed-in browser. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    /** SHA-256 of the cookie, in hex. The cookie itself is not stored. */
    idHash: p.text().primary(),
    operatorId: p.text().index('session_of_operator'),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    /** About the time of its last request. */
    seenAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    /** Its end, however busy it is. */
    expiresAt: p.datetime(3).index('session_by_expiry'),
  },
});
