import {
  checkInvariantsWhenIdle,
  type Invariant,
  invariants,
} from '@event-api/load-tests/invariants.ts';
import { type DrillEnvironment, HOLD_MS } from './environment/environment.ts';
import type { InjectedFault } from './faults/inject.ts';
import { type Acknowledgement, explainMismatch } from './history/acknowledgements.ts';
import type { History } from './history/history.ts';
import { type FaultWindow, unexplainedFailures } from './history/responses.ts';

/** What holds after a drill beyond what holds after any load. */
const ofDrills: Invariant[] = [
  {
    title: 'every step that was left half-way has been finished',
    promise: 'I3',
    needs: 'commerce.customer_order',
    sql: `select id, status from commerce.customer_order
        where status in ('held', 'awaiting_payment') or intent is not null
          or (status = 'refunded' and revoked_at is null) or (status = 'expired' and settlement_id is not null)
      union all select id, state from commerce.payment where state in ('creating', 'open', 'ending')
      union all select id, state from commerce.settlement where state = 'received'
      union all select id, state from commerce.refund where state = 'pending'`,
  },
  {
    title: 'no request has placed two orders',
    promise: 'I3',
    needs: 'commerce.customer_order',
    sql: `select name from commerce.customer_order where name like 'drill %'
      group by business_unit_id, name having count(*) > 1`,
  },
  {
    title: 'no request has made more codes than it asked for',
    promise: 'I3',
    needs: 'registration.redemption_code',
    sql: `select label from registration.redemption_code where label like 'drill %'
      group by business_unit_id, label having count(*) > split_part(label, ' ', 2)::int`,
  },
  {
    title: 'no refund was promised that the provider does not give',
    promise: 'I4',
    needs: 'commerce.refund',
    sql: `select id, failure from commerce.refund where state = 'failed'`,
  },
];

/** What one promise has come to; `rows` are the first of those that break it. */
export interface Finding {
  title: string;
  promise: string;
  isBroken: boolean;
  rows: unknown[];
}

/** How long everything may take to come to its end: what is held runs out, and then thirty seconds. */
const SETTLE_MS = HOLD_MS + 30_000;

/** Everything that has to hold, once nothing moves any more. */
export async function check(
  environment: DrillEnvironment,
  history: History,
  injectedFaults: readonly InjectedFault[],
  withinMs = SETTLE_MS,
): Promise<Finding[]> {
  const wanted = [...ofDrills, ...invariants];
  const { broken } = await checkInvariantsWhenIdle(environment.databaseUrl, { withinMs, wanted });
  return [
    ...wanted.map(({ title, promise }) => finding(title, promise, broken[title])),
    ...(await historyFindings(environment, history)),
    finding('money at the provider is money here', 'I4', await providerDifferences(environment)),
    ...responseFindings(history, injectedFaults),
    finding(
      'what was put right works again within thirty seconds',
      'I7',
      injectedFaults
        .filter(({ failure }) => failure)
        .map(({ fault, failure }) => ({ fault, failure })),
    ),
  ];
}

/** What the answers themselves have shown. Nothing is given up when a drill ends: clients wait for their last answers. */
export const responseFindings = (history: History, seasons: readonly FaultWindow[]): Finding[] => [
  finding(
    'a request is refused only while something is away',
    'answers',
    unexplainedFailures(history.refusals, seasons),
  ),
  finding('every request was decided in the end', 'answers', history.unknown),
  ...Object.entries(history.broken).map(([title, rows]) => finding(title, 'answers', rows)),
];

export const finding = (title: string, promise: string, rows: unknown[] = []): Finding => ({
  title,
  promise,
  isBroken: rows.length > 0,
  rows: rows.slice(0, 5),
});

const acknowledgementTitles: Record<Acknowledgement['kind'], [title: string, promise: string]> = {
  registration: ['every acknowledged registration is what it was, or a later state', 'journal'],
  order: ['every acknowledged order is what it was, or a later state', 'journal'],
  checkin: ['every acknowledged check-in is there', 'I5'],
  code: ['every acknowledged code is there', 'journal'],
  refund: ['every acknowledged refund is what it was, or a later state', 'journal'],
  payment: ['every payment that was taken has been heard of', 'I4'],
  'refused notification': ['nothing came of a notification that was refused', 'I4'],
};

const queries: Record<Acknowledgement['kind'], string> = {
  registration: 'select id, status from registration.registration',
  // Each registration once, in the order of the seats; the receiver of the add-ons comes last.
  order: `select o.id, o.status, o.total_amount::int as "totalAmount", o.currency, coalesce(
      (select array_agg(once.id order by once.rank) from (
        select found.id, min(found.rank) as rank from (
          select x.id, l.position * 1000 + x.place as rank from commerce.order_line l,
            unnest(l.registration_ids) with ordinality x(id, place) where l.order_id = o.id
          union all select o.addon_registration_id, 1000000 where o.addon_registration_id is not null
        ) found group by found.id) once), '{}') as "registrationIds"
    from commerce.customer_order o`,
  checkin:
    'select id, registration_id as "registrationId", subject_id as "subjectId" from onsite.checkin',
  code: 'select id, code, max_uses as "maxUses" from registration.redemption_code',
  refund: 'select id, amount::int as amount, state from commerce.refund',
  payment: 'select provider_payment_id as id, order_id as "orderId" from commerce.settlement',
  'refused notification': 'select provider_event_id as id from commerce.settlement',
};

/** Holds all that was acknowledged against what is there. */
async function historyFindings(
  { sql }: DrillEnvironment,
  { acknowledgements, lost }: History,
): Promise<Finding[]> {
  const findings = [];
  for (const kind of Object.keys(acknowledgementTitles) as Acknowledgement['kind'][]) {
    const rows = await sql<{ id: string }>(queries[kind]);
    const found = new Map(rows.map((row) => [row.id, { kind, ...row } as Acknowledgement]));
    const wrong = acknowledgements
      .filter(({ kind: its, id }) => its === kind && !lost.has(id))
      .map((acknowledgement) => ({
        ...acknowledgement,
        why: explainMismatch(acknowledgement, found.get(acknowledgement.id)),
      }))
      .filter(({ why }) => why !== null);
    findings.push(finding(...acknowledgementTitles[kind], wrong));
  }
  return findings;
}

type Line = {
  session?: { state: string; paymentId: string; receivedAmount: number; receivedCurrency: string };
  refund?: { refundId: string; amount: number };
};

/** Payments and refunds of which the provider says something else than we do. */
async function providerDifferences({ providerLines, sql }: DrillEnvironment): Promise<unknown[]> {
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
    ...theirs.filter((line) => !here.has(line)).map((line) => ({ onlyThere: line })),
    ...ours
      .filter(({ line, forged }) => !forged && !there.has(line))
      .map(({ line }) => ({ onlyHere: line })),
  ];
}
