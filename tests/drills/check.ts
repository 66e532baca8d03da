import type { Invariant } from '@event-api/load-tests/invariants/invariant.ts';
import { checkInvariantsWhenIdle, invariants } from '@event-api/load-tests/invariants.ts';
import { type DrillEnvironment, HOLD_MS } from './environment/environment.ts';
import type { InjectedFault } from './faults/inject.ts';
import type { Acknowledgement } from './history/acknowledgements.ts';
import { contradictionsOf } from './history/contradictions.ts';
import type { History } from './history/history.ts';
import { type FaultWindow, unexplainedFailures, wrongRepeats } from './history/responses.ts';

/** Invariants of a drill, in addition to those of any load. */
const ofDrills: Invariant[] = [
  {
    title: 'no order, payment or refund is left unfinished',
    promise: 'I3',
    needs: 'commerce.customer_order',
    sql: `select id, status from commerce.customer_order
        where status in ('held', 'awaiting_payment') or intent is not null
          or (status = 'refunded' and revoked_at is null) or (status = 'expired' and settlement_id is not null)
      union all select id, state from commerce.payment where state in ('creating', 'open', 'expiring')
      union all select id, state from commerce.settlement where state = 'received'
      union all select id, state from commerce.refund where state = 'pending'
      union all select registration_id, 'undecided' from commerce.cancelled_seat where decided_at is null
      union all select id, state from commerce.order_change where state in ('moving', 'executing')`,
  },
  {
    title: 'no request creates two orders',
    promise: 'I3',
    needs: 'commerce.customer_order',
    sql: `select name from commerce.customer_order where name like 'drill %'
      group by business_unit_id, name having count(*) > 1`,
  },
  {
    title: 'no request creates more codes than requested',
    promise: 'I3',
    needs: 'registration.redemption_code',
    sql: `select label from registration.redemption_code where label like 'drill %'
      group by business_unit_id, label having count(*) > split_part(label, ' ', 2)::int`,
  },
  {
    title: 'no refund is rejected by the provider',
    promise: 'I4',
    needs: 'commerce.refund',
    sql: `select id, failure from commerce.refund where state = 'failed'`,
  },
];

/** The result of one check. `rows` are the first violations. */
export interface Finding {
  title: string;
  promise: string;
  isBroken: boolean;
  rows: unknown[];
}

/**
 * Time limit for unfinished work in milliseconds: holds expire, then thirty seconds for everything
 * else.
 */
const SETTLE_MS = HOLD_MS + 30_000;

/** Runs all checks. Waits until unfinished work is done. */
export async function check(
  environment: DrillEnvironment,
  history: History,
  {
    injectedFaults,
    stalls,
    settleMs: withinMs = SETTLE_MS,
  }: {
    injectedFaults: readonly InjectedFault[];
    /** When the machine did not run the drill. */
    stalls: readonly FaultWindow[];
    settleMs?: number | undefined;
  },
): Promise<Finding[]> {
  const wanted = [...ofDrills, ...invariants];
  const { broken } = await checkInvariantsWhenIdle(environment.databaseUrls, { withinMs, wanted });
  const explained = await checkinsOfLost(environment, history);
  return [
    ...wanted.map(({ title, promise }) =>
      finding(
        title,
        promise,
        broken[title]?.filter((row) => !explained.has((row as { id?: string }).id)),
      ),
    ),
    ...(await historyFindings(environment, history)),
    finding(
      'payments and refunds equal those of the provider',
      'I4',
      await providerDifferences(environment, history),
    ),
    ...responseFindings(history, [...injectedFaults, ...stalls], environment.logOf),
    finding(
      'the platform recovers within thirty seconds of each fault',
      'I7',
      injectedFaults
        .filter(({ failure }) => failure)
        .map(({ fault, failure }) => ({ fault, failure })),
    ),
  ];
}

/**
 * The check-ins of registrations that a restore has lost. They stay, because these persons were
 * admitted. Errors: PostgreSQL's.
 */
async function checkinsOfLost({ sqlOf }: DrillEnvironment, { lost }: History) {
  if (lost.size === 0) return new Set<unknown>();
  const rows = await sqlOf('onsite')<{ id: string; of: string }>(
    'select id, registration_id as of from onsite.checkin',
  );
  return new Set<unknown>(rows.flatMap(({ id, of }) => (lost.has(of) ? id : [])));
}

/**
 * Checks of the responses alone. Clients finish their requests before a drill ends, so none may be
 * undecided. A failure is reported with the log lines of its request, which name the cause.
 */
export const responseFindings = (
  history: History,
  faultWindows: readonly FaultWindow[],
  logOf: (requestId: string) => string[] = () => [],
): Finding[] => [
  finding(
    'requests fail only during a fault',
    'responses',
    unexplainedFailures(history.failedRequests, faultWindows).map(({ requestId, ...failed }) => ({
      ...failed,
      log: requestId === undefined ? [] : logOf(requestId),
    })),
  ),
  finding(
    'a retried request has no effect of its own',
    'responses',
    wrongRepeats(history.repeatedRequests, faultWindows),
  ),
  finding('every request has a definite response', 'responses', history.unknown),
  ...Object.entries(history.broken).map(([title, rows]) => finding(title, 'responses', rows)),
];

export const finding = (title: string, promise: string, rows: unknown[] = []): Finding => ({
  title,
  promise,
  isBroken: rows.length > 0,
  rows: rows.slice(0, 5),
});

const acknowledgementTitles: Record<Acknowledgement['kind'], [title: string, promise: string]> = {
  registration: ['every acknowledged registration exists, in the same or a later state', 'history'],
  order: ['every acknowledged order exists, in the same or a later state', 'history'],
  checkin: ['every acknowledged check-in exists', 'I5'],
  code: ['every acknowledged code exists', 'history'],
  refund: ['every acknowledged refund exists, in the same or a later state', 'history'],
  change: ['every acknowledged change has its quote, in the same or a later state', 'I4'],
  'refused change': ['a quote whose execution was refused is not executed', 'I4'],
  payment: ['every captured payment has a settlement', 'I4'],
  'rejected notification': ['no rejected notification has an effect', 'I4'],
};

/** Compares all acknowledgements with the records in the database. */
async function historyFindings({ sql }: DrillEnvironment, history: History): Promise<Finding[]> {
  const findings = [];
  for (const kind of Object.keys(acknowledgementTitles) as Acknowledgement['kind'][]) {
    const found = await contradictionsOf(kind, sql, history);
    const rows = found.map(({ acknowledgement, why }) => ({ ...acknowledgement, why }));
    findings.push(finding(...acknowledgementTitles[kind], rows));
  }
  return findings;
}

type Line = {
  session?: { state: string; paymentId: string; receivedAmount: number; receivedCurrency: string };
  refund?: { refundId: string; amount: number };
};

/** Returns payments and refunds that differ between the provider and commerce. */
async function providerDifferences(
  { providerLines, sql }: DrillEnvironment,
  { lost }: History,
): Promise<unknown[]> {
  const lines = providerLines().map((line) => JSON.parse(line) as Line);
  const theirs = lines.flatMap(({ session, refund }) => {
    if (refund) return [`${refund.refundId} ${refund.amount}`];
    if (session?.state !== 'paid') return [];
    return [`${session.paymentId} ${session.receivedAmount} ${session.receivedCurrency}`];
  });
  const ours = await sql<{ line: string; forged: boolean }>(
    `select provider_payment_id || ' ' || amount || ' ' || currency as line,
        provider_payment_id like 'pi_late_%' as forged from commerce.settlement
      union all select id || ' ' || amount, false from commerce.refund where state = 'done'`,
  );
  const here = new Set(ours.map(({ line }) => line));
  const there = new Set(theirs);
  return [
    // A refund that commerce has lost is known from the provider's dashboard alone.
    ...theirs
      .filter((line) => !here.has(line) && !lost.has(line.split(' ')[0] ?? ''))
      .map((line) => ({ onlyAtProvider: line })),
    ...ours
      .filter(({ line, forged }) => !forged && !there.has(line))
      .map(({ line }) => ({ onlyInCommerce: line })),
  ];
}
