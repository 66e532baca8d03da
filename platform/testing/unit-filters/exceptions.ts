/** Tables without data of a business unit, or with serialized data that only jobs pass on. */
const tablesOfNoUnit = [
  'business_unit',
  'change_counter',
  'dead_letter',
  'mikro_orm_migrations',
  'outbox_message',
  'owner_cursor',
  'owner_lineage',
  'projection_checkpoint',
  'roster_epoch',
  'stream_state',
  // People and their credentials. What they may do in a unit is in `console.member`.
  'console.identity',
  'console.operator',
  'console.passkey',
  'console.passkey_challenge',
  'console.session',
  // As `business_unit`: a row is a unit.
  'console.known_unit',
];

/** Whether a table contains data of business units, also without a column that names the unit. */
export const isTableOfUnits = (table: string): boolean => {
  const [schema = '', name = ''] = table.split('.');
  return (
    !/^(pg_|information_schema|mikro_orm)/.test(schema + name) &&
    !tablesOfNoUnit.some((each) => each === name || each === table)
  );
};

/** Statements that need no filter by business unit, and why. */
export interface Exception {
  reason: string;
  statements: readonly (string | RegExp)[];
}

/**
 * Every statement on data of business units that does not filter by one. A statement that a request
 * reaches belongs here only if its ids were found with a filter before.
 */
export const exceptions: readonly Exception[] = [
  {
    reason: 'A snapshot: all units during a resync, or records that the same command has written.',
    statements: [/^source_(page|some|emit)_/],
  },
  {
    reason:
      'Applies the records of an owner to a projection by their ids. No request reads with it.',
    statements: [/^projections?_/],
  },
  {
    reason:
      'Delivers the changes of the endpoints that this process holds, which the job has taken for all units.',
    statements: [/^delivery_/],
  },
  {
    reason: 'Numbers the changes of all units, passes them to the feed, and deletes old ones.',
    statements: ['change_delete_old', 'change_number', 'change_page', 'change_state'],
  },
  {
    reason: 'Tells whether a cursor is of another unit. It returns nothing of that unit.',
    statements: ['feed_epoch_of_other_unit'],
  },
  {
    reason: 'The entity manager writes a record that the transaction has locked under its unit.',
    statements: [
      /^(update|delete) (catalog|onsite|changes)\.\w+ by id$/,
      /^insert catalog\.(refund_policy|registration_form)$/,
      'select catalog.perk_binding',
    ],
  },
  {
    reason: 'The transaction has locked the webhook endpoint under its unit.',
    statements: [
      /^(select|insert|delete) changes\.webhook_replay$/,
      'webhook_lanes_delete',
      'webhook_lanes_retry_now',
    ],
  },
  {
    reason: 'The transaction has locked the event under its unit. The ids are those of this event.',
    statements: [
      'admission_change_details',
      'admission_insert',
      'admission_ledger',
      'admission_reservations',
      'admission_waitlist',
    ],
  },
  {
    reason:
      'Continues with an order that `order_by_path` has found under its unit, or that a job has found.',
    statements: [
      'order_by_id',
      'order_lock',
      'order_touch',
      'order_record_attempt',
      /^order_(set|clear)_/,
      'payment_account_by_id',
      /^payment_account_(provider_id|checked)_write$/,
      'payment_insert',
      'payment_open',
      'payment_live',
      'payments_unexpired',
      'payments_of_change',
      'payment_record_attempt',
      'payment_expire_all',
      /^payment_set_/,
      'refunds_of_order',
      'refunds_of_orders',
      /^refund_(start|start_due|withdraw|complete|record_attempt|pay_at_provider|fail_done|insert_rest)$/,
      'refunds_withdraw_failed_ones',
      /^provider_refund(_record_attempt|_set_processed|s_reopen)$/,
      'dispute_update',
      'dispute_link',
      'refunds_replace_registrations',
      /^cancelled_seat_(record_attempt|is_undecided|decide)$/,
      'cancelled_seats_replace',
      'cancelled_seats_undecided_of_orders',
      /^order_change_(by_id|set_(state|held|settlement|paid)|end_quote|record_attempt)$/,
      /^seat_assignment_(is_unstored|record_attempt)$/,
      'settlements_received_of_order',
      'settlement_by_id',
      'settlement_is_received',
      /^settlement_(set_state|record_attempt)$/,
    ],
  },
  {
    reason:
      'A notification of a payment provider names a session or a payment, and no unit. Its signature is verified.',
    statements: [
      'payment_of_session',
      'payment_owners',
      'foreign_notification_insert',
      'payment_decline_insert',
      'provider_refund_insert',
      'provider_refund_to_apply',
      'provider_refunds_match',
      /^dispute_(payment|insert|lock|of_payment_unlinked)$/,
    ],
  },
  {
    reason: 'Tells which unit has an account of a provider, or encrypts the keys of all units.',
    statements: ['payment_account_at_provider', /^payment_account_secrets_/],
  },
  {
    reason: 'A claim has a token and no key. The link of the token decides the unit and the order.',
    statements: ['claim_link_by_token', 'claim_link_insert'],
  },
  {
    reason: 'Gateways read keys of all units. The key of a request decides its unit.',
    statements: ['changed_keys', 'key_by_hash', 'pairing_by_short_code', 'usable_keys'],
  },
  {
    reason: 'The primary key contains the unit.',
    statements: [/^idempotency_acquire_/, 'refund_delay_set', 'payment_fee_set'],
  },
  {
    reason: 'Deletes old rows of all units.',
    statements: [
      /^idempotency_delete_expired_/,
      'devices_delete_old',
      'scans_delete_old',
      'devices_delete_unseen',
    ],
  },
  {
    reason: 'Only tests run it, to show what the numbers of changes prevent.',
    statements: [/^change_page_by_/],
  },
  {
    reason: 'An operator names a key by its id.',
    statements: [/^(select|update) gateway\.api_key/],
  },
  {
    reason: 'A job or a metric of all units.',
    statements: [
      'balances',
      'due_events',
      'feed_delete_old',
      'feed_units',
      'feed_units_above',
      'orders_expired_hold',
      'orders_open',
      'orders_unfinished',
      'payments_to_expire',
      'cancelled_seats_undecided',
      'order_changes_executing',
      'order_changes_moving',
      'order_changes_unpaid',
      /^cancellations_(begin|claim|revisit)$/,
      'seat_assignments_unstored',
      'refunds_due',
      'refunds_pending',
      'refunds_to_send',
      'provider_refunds_to_apply',
      'disputes_unlinked',
      'disputes_open',
      'journal_units_of_day',
      'journal_last_day',
      'journal_next_day',
      'journal_last_day',
      /^reconciliation_/,
      'reconciliations_of_all',
      'reservation_stats',
      'settlements_pending',
      'settlements_received',
    ],
  },
  {
    reason: 'Lists the business units of the signed-in operator.',
    statements: ['units_of_operator'],
  },
  {
    reason: 'Finds an invitation by the 256 random bits of its link, or deletes old ones.',
    statements: [
      'invitation_accept',
      'invitation_delete_old',
      'invitation_by_id',
      'invitation_lock_by_token',
      'invitation_open_by_token',
    ],
  },
  {
    reason: 'An administrator of the platform lists or revokes invitations that make another one.',
    statements: ['invitations_of_administrators', 'invitation_revoke_of_administrator'],
  },
  {
    reason: 'An operator reads or repairs all units, or one of them.',
    statements: [
      'orders_compared',
      'orders_compared_of_ids',
      'orders_restore_seats',
      'orders_revoke_again',
      'orders_unbalanced',
      'refunds_of_all',
      'refunds_owed_of_all',
      'refunds_owed_sum_of_all',
      'reservations_fulfilled',
      'settlements_unmatched',
      /^webhook_secrets_(page|write)$/,
      /^audit_of_all_/,
    ],
  },
];

/** The exception that a statement belongs to. */
export const exceptionOf = (name: string): Exception | undefined =>
  exceptions.find(({ statements }) =>
    statements.some((one) => (typeof one === 'string' ? one === name : one.test(name))),
  );
