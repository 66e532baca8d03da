import type { Invariant } from './invariant.ts';

/** Invariants of messages after all of them have been published and applied. */
export const messageInvariants: Invariant[] = [
  ...['catalog', 'registration'].map((schema) => ({
    title: `${schema} has no unpublished messages`,
    promise: 'I7' as const,
    needs: `${schema}.outbox_message`,
    sql: `select id from ${schema}.outbox_message where stream_seq is null`,
  })),
  ...['catalog', 'registration', 'commerce', 'onsite'].map((schema) => ({
    title: `${schema} has no dead letters`,
    promise: 'I7' as const,
    needs: `${schema}.dead_letter`,
    sql: `select * from ${schema}.dead_letter`,
  })),
];
