/** How a statement reads without a guard. */
export interface StatementOverride {
  guard: string;
  statement: string;
  /** Must change the text. */
  edit: (text: string) => string;
}

const unlocked = (text: string) => text.replace(' for update', '');

const overrides: readonly StatementOverride[] = [
  // Admission decides without the lock of the event.
  { guard: 'admission.lock', statement: 'admission_lock', edit: unlocked },
  // A cancelled event is not closed under the lock of its admission.
  {
    guard: 'event-cancel.close',
    statement: 'event_lock_close',
    edit: (text) => text.replace('clock_timestamp()', 'cancelled_at'),
  },
  // A decision about an order neither locks it nor compares its version.
  { guard: 'order.lock', statement: 'order_lock', edit: unlocked },
  {
    guard: 'order.lock',
    statement: 'order_set_fulfil_intent',
    edit: (text) => text.replace('version = $2', '$2::bigint is not null'),
  },
  {
    guard: 'order.lock',
    statement: 'order_set_paid',
    edit: (text) => text.replace('or version = $7', 'or true'),
  },
  {
    guard: 'order.lock',
    statement: 'payment_insert',
    edit: (text) => text.replace('and version = $6', 'and $6::bigint is not null'),
  },
  // A change of an order ignores that its seat was cancelled by something else.
  {
    guard: 'cancelled_seat.once',
    statement: 'cancelled_seats_insert_decided',
    edit: (text) => text.replace('do nothing', 'do update set decided_at = excluded.decided_at'),
  },
  // A dispute that is stored before its payment is not assigned to the order.
  {
    guard: 'dispute.assignment',
    statement: 'dispute_of_payment_unlinked',
    edit: (text) => text.replace('order_id is null', 'false'),
  },
  // A day of the journal is closed while old transactions write to it.
  {
    guard: 'ledger.writers',
    statement: 'journal_old_writers',
    edit: (text) => text.replace('and l.granted', 'and false'),
  },
  // A refund of an open seat does not name the registration that the seat becomes.
  {
    guard: 'seat.identity',
    statement: 'refunds_replace_registrations',
    edit: (text) => text.replace('where r.order_id = $1', 'where false and r.order_id = $1'),
  },
  // The token of a revoked claim link is valid.
  {
    guard: 'claim-link.revoked',
    statement: 'claim_link_by_token',
    edit: (text) => text.replace(' and c.revoked_at is null', ''),
  },
  // A process takes the webhook endpoints that another one holds.
  {
    guard: 'webhook.lease',
    statement: 'delivery_take',
    edit: (text) => text.replace(/\(e\.lease_until is null[^)]*\(\)\)/, '(true)'),
  },
  // The feed follows the positions of uncommitted changes: a late commit is below its cursor.
  {
    guard: 'changes.numbering',
    statement: 'change_state',
    edit: (text) =>
      text.replace(
        /last, exists .* from (\w+)\.change_counter/,
        'coalesce((select max(position) from $1.change_inbox), 0)::int8 as last, false as "hasUnnumbered"',
      ),
  },
  {
    guard: 'changes.numbering',
    statement: 'change_page',
    edit: (text) => text.replaceAll('l.number', 'l.position').replace('change_log', 'change_inbox'),
  },
];

/** The statements of which a guard is a part, by their names. */
export const statementOverrides: ReadonlyMap<string, StatementOverride> = new Map(
  overrides.map((override) => [override.statement, override]),
);
