import type { Invariant } from '../invariants.ts';

/** What holds of messages once everybody has had the time to send and to read them. */
export const messageInvariants: Invariant[] = [
  ...['catalog', 'registration'].map((schema) => ({
    title: `${schema} owes the bus nothing`,
    promise: 'I7' as const,
    needs: `${schema}.outbox_message`,
    sql: `select id from ${schema}.outbox_message where stream_seq is null`,
  })),
  ...['catalog', 'registration', 'commerce', 'onsite'].map((schema) => ({
    title: `${schema} could apply every record`,
    promise: 'I7' as const,
    needs: `${schema}.dead_letter`,
    sql: `select * from ${schema}.dead_letter`,
  })),
];
