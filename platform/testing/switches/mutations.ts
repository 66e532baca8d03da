/** A text of the product, and what stands for it in a test process. */
export interface Mutation {
  /** From the root of the repository. */
  file: string;
  /** Occurs once in the file. */
  find: string;
  /** May call the exports of `switches.ts` on `testSwitches`. */
  replace: string;
}

/** Replaces an expression while a guard is disabled. */
const without = (guard: string, file: string, find: string, replace: string): Mutation => ({
  file,
  find,
  replace: `(testSwitches.isOff('${guard}') ? ${replace} : ${find})`,
});

/** For a wait whose timeout would let a busy machine decide the result of a test. */
const relaxedMs = '10_000';
const write = 'platform/src/messaging/changes/write.ts';
const quotes = 'services/commerce/src/changes/quotes.rules.ts';

/** All changes of the product in a test process, except those of statements. */
export const mutations: readonly Mutation[] = [
  without(
    'ticket-type.create.event-lock',
    'services/catalog/src/events/events.queries.ts',
    'lockModes[mode]',
    'LockMode.NONE',
  ),
  without(
    'pairing.lock',
    'gateway/src/devices/devices.commands.ts',
    'LockMode.PESSIMISTIC_WRITE',
    'LockMode.NONE',
  ),
  without(
    'idempotency',
    'platform/src/http/idempotency/hooks.ts',
    'callersWithKeys.has(routeOptions.config.audience)',
    'false',
  ),
  // Decisions about orders know no minimum and maximum.
  ...['types.get(id)', 'addons.get(id)'].map((limits) =>
    without(
      'order-limits',
      'services/registration/src/reservations/order-limits.rules.ts',
      limits,
      'undefined',
    ),
  ),
  // An owner keeps its lineage although the stream shows that its database was restored.
  without(
    'lineage',
    'platform/src/messaging/outbox/lineage.ts',
    "decision.outcome === 'rewound'",
    'false',
  ),
  // Commands write no changes for the feed.
  without('changes.write', write, 'changes.length === 0', 'true'),
  without('changes.write', write, "randomId('chg')", 'null'),
  without('changes.write', write, 'db.committed([changesWritten])', 'undefined'),
  without(
    'bus.timeout',
    'platform/src/messaging/outbox/outbox.ts',
    'streamTimeouts.publishMs',
    relaxedMs,
  ),
  without(
    'projections.timeout',
    'platform/src/messaging/projections/checkpoint.ts',
    'readAfterTimeouts.waitMs',
    relaxedMs,
  ),
  without(
    'promotion.timeout',
    'services/catalog/src/seat-counts/promote.ts',
    'timeouts.promotionMs',
    '5000',
  ),
  without(
    'redis.timeout',
    'platform/src/messaging/read-after/store.ts',
    'readAfterTimeouts.redisMs',
    relaxedMs,
  ),
  // A quote is executed again, and whatever it would pay back now.
  without('order-change.quote', quotes, "state !== 'quoted'", 'false'),
  without('order-change.quote', quotes, 'textOf(now.quote) === textOf(quote)', 'true'),
  without(
    'order-change.quote',
    'services/commerce/src/changes/seats.rules.ts',
    "chosen.findIndex(({ status }) => status === 'cancelled')",
    '-1',
  ),
  // An order of a cancelled event is fulfilled.
  without(
    'event-cancel.fulfil',
    'services/registration/src/reservations/fulfilment.rules.ts',
    'state.isCancelled',
    'false',
  ),
  // The refund of a cancelled event decides about every seat that is undecided.
  without(
    'event-cancel.seats-before',
    'services/commerce/src/refunds/cancelled-seats.rules.ts',
    'endedWithEvent ?? event.cancelledAt !== null',
    'event.cancelledAt !== null',
  ),
  // It decides before it is known how the registrations of an order have ended.
  without(
    'event-cancel.known-ends',
    'services/commerce/src/cancellations/ended-seats.rules.ts',
    '!isEnded(registrationStatuses[id])',
    'false',
  ),
  // Every refund of an order counts as one of the payment that has paid for it.
  without(
    'refunds.own-payment',
    'services/commerce/src/refunds/split.rules.ts',
    'refund.settlementId === settlementId',
    'true',
  ),
  without('redis.timeout', 'gateway/src/rate-limit/limit.ts', 'timeouts.rateLimitMs', relaxedMs),
  {
    file: 'platform/src/db/statement.ts',
    find: 'const { name, text } = statement;',
    replace: 'const { name, text } = testSwitches.overridden(statement);',
  },
];
