import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { SaleStatus } from '@event-api/contracts/http/ticket-types';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { LockedEvent } from '../seats/lock-event.ts';
import {
  type AdmissionState,
  availableSeats,
  type CodeState,
  type OtherOrder,
  type RegistrationState,
  type TypeState,
} from '../seats/rules.ts';
import { readBuyers } from './read-buyers.ts';
import { readReservations } from './read-reservations.ts';
import type { RecordRefs } from './requests.ts';

/**
 * The ledger of a ticket type as the batch read it, with the projected version and the one last
 * applied.
 */
export interface LedgerRow {
  confirmed: number;
  waitlisted: number;
  offered: number;
  reserved: number;
  projectedVersion: number;
  ticketTypeVersion: number;
}

/** The values that a batch read. Only values that differ from them are written. */
export interface LoadedState {
  ledger: ReadonlyMap<string, LedgerRow>;
  /** Uses of codes, by the code's id. */
  uses: ReadonlyMap<string, number>;
}

interface TypeRow extends LedgerRow {
  id: string;
  status: SaleStatus;
  capacity: number | null;
  allowWaitlist: boolean;
  requiresApproval: boolean;
  opensAt: Date | null;
  closesAt: Date | null;
  priceAmount: number;
  /** Whether the event has open reservations that have expired; the same in each row. */
  hasExpiredReservations: boolean;
}

const typesOfEvent = statement<TypeRow>(
  'admission_types',
  `select t.id, t.status, t.capacity, t.allow_waitlist as "allowWaitlist",
     t.requires_approval as "requiresApproval", t.opens_at as "opensAt", t.closes_at as "closesAt",
     t.price_amount as "priceAmount", coalesce(l.confirmed, 0) as confirmed,
     coalesce(l.waitlisted, 0) as waitlisted, coalesce(l.offered, 0) as offered,
     coalesce(l.reserved, 0) as reserved, t.version as "projectedVersion",
     coalesce(l.ticket_type_version, 0) as "ticketTypeVersion",
     exists (
       select from registration.seat_reservation c
       where c.state = 'active' and c.expires_at <= $3 and c.event_id = $1 and c.business_unit_id = $2
     ) as "hasExpiredReservations"
   from registration.ticket_type_projection t
   left join registration.seat_ledger l on l.ticket_type_id = t.id
   where t.event_id = $1 and t.business_unit_id = $2`,
);

/** The order of the waitlist: the order of creation, or behind all others after a missed offer. */
const waitlistOrderSql = 'coalesce(r.waitlist_order, r.insertion_order)';

const registrationColumns = `r.id, r.normal_email as "normalEmail", r.status,
  r.ticket_type_id as "ticketTypeId", r.redemption_code_id as "redemptionCodeId",
  r.order_id as "orderId", null::text as "buyerEmail", ${waitlistOrderSql} as "waitlistOrder",
  r.offer_id as "offerId", r.offers_missed as "offersMissed"`;

interface RegistrationRow extends RegistrationState {
  status: RegistrationStatus;
}

// Each part reads its few rows by one index; business unit and event are checked afterwards. With
// these conditions in each part, a plan cached while the table was small could read the whole event
// by the index of its list.
const referencedRegistrations = statement<RegistrationRow>(
  'admission_registrations',
  `with found as materialized (
     select ${registrationColumns}, r.event_id, r.business_unit_id from registration.registration r
     where r.event_id = $1 and r.active_email = any($3)
     union
     select ${registrationColumns}, r.event_id, r.business_unit_id from registration.registration r
     where r.id = any($4)
     union
     select ${registrationColumns}, r.event_id, r.business_unit_id from registration.registration r
     where r.order_id = any($5)
   )
   select f.id, f."normalEmail", f.status, f."ticketTypeId", f."redemptionCodeId", f."orderId", f."waitlistOrder",
     f."offerId", f."offersMissed", coalesce(c.buyer_email, f."normalEmail") as "buyerEmail"
   from found f left join registration.seat_reservation c on c.id = f."orderId"
   where f.event_id = $1 and f.business_unit_id = $2`,
);

// Registrations without an offer, in the order of the waitlist, and no more of each type than one batch
// promotes. Served by `registration_waitlist`. Read only for types with an available seat or one that
// the batch may release.
const waitlistedRegistrations = statement<RegistrationRow>(
  'admission_waitlist',
  `select w.* from unnest($1::text[]) t(id) cross join lateral (
     select ${registrationColumns} from registration.registration r
     where r.ticket_type_id = t.id and r.status = 'waitlisted' and r.offer_id is null
     order by ${waitlistOrderSql} limit 256
   ) w`,
);

interface CodeRow extends Omit<CodeState, 'discount'> {
  discountType: 'percent' | 'amount' | null;
  discountValue: number | null;
}

const referencedCodes = statement<CodeRow>(
  'admission_codes',
  `select id, code, code_key as key, ticket_type_id as "ticketTypeId", max_uses as "maxUses", uses,
     expires_at as "expiresAt", status, discount_type as "discountType",
     discount_value as "discountValue"
   from registration.redemption_code
   where event_id = $1 and business_unit_id = $2 and (code_key = any($3) or id = any($4))`,
);

interface OtherOrderRow extends OtherOrder {
  registrationId: string;
}

const otherOrdersOf = statement<OtherOrderRow>(
  'admission_other_orders',
  `select l.registration_id as "registrationId", l.order_id as "orderId", c.buyer_email as "buyerEmail"
   from registration.registration r join registration.registration_order l on l.registration_id = r.id
   left join registration.seat_reservation c on c.id = l.order_id
   where r.order_id = any($3) and r.event_id = $1 and r.business_unit_id = $2`,
);

/**
 * Reads the state that a batch decides on, under its lock: none of it can change before the commit. Reads that do not
 * depend on each other share a round trip.
 */
export async function readState(
  tx: Tx,
  scope: EventScope,
  locked: LockedEvent & { mayPromote: boolean },
  refs: RecordRefs,
): Promise<{ state: AdmissionState; loaded: LoadedState }> {
  const event = [scope.eventId, scope.businessUnitId];
  const { emails, registrationIds, orderIds } = refs;
  const [types, referenced, buyers, others] = await Promise.all([
    tx.query(typesOfEvent, [...event, locked.now]),
    emails.length + registrationIds.length + orderIds.length > 0
      ? tx.query(referencedRegistrations, [...event, emails, registrationIds, orderIds])
      : [],
    readBuyers(tx, scope, locked.limits, refs.buyerEmails),
    orderIds.length > 0 ? tx.query(otherOrdersOf, [...event, orderIds]) : [],
  ]);
  const hasExpiredReservations = types[0]?.hasExpiredReservations ?? true;
  const promotableTypes = types
    .filter((type) => type.waitlisted > type.offered)
    .filter((type) => hasExpiredReservations || refs.mayReleaseSeats || availableSeats(type) > 0);
  const [reservations, waitlisted] = await Promise.all([
    readReservations(tx, scope, {
      now: locked.now,
      ids: [...refs.reservationIds, ...referenced.flatMap(({ offerId }) => offerId ?? [])],
      // A type that has become free confirms the registrations with an offer.
      offersOfTypes: types.filter((type) => type.priceAmount === 0 && type.offered > 0),
      hasExpired: hasExpiredReservations,
    }),
    promotableTypes.length > 0
      ? tx.query(waitlistedRegistrations, [promotableTypes.map(({ id }) => id)])
      : [],
  ]);
  const loadedIds = new Set(referenced.map(({ id }) => id));
  const offeredIds = reservations.flatMap(({ offer }) =>
    offer && !loadedIds.has(offer.registrationId) ? [offer.registrationId] : [],
  );
  const offered =
    offeredIds.length > 0
      ? await tx.query(referencedRegistrations, [...event, [], offeredIds, []])
      : [];
  const registrations = [...referenced, ...offered];
  const codes = await readCodes(tx, event, refs, [...registrations, ...reservations]);
  return {
    loaded: {
      ledger: new Map(types.map((type) => [type.id, type])),
      uses: new Map(codes.map(({ id, uses }) => [id, uses])),
    },
    state: {
      now: locked.now,
      eventStatus: locked.status,
      limits: locked.limits,
      offerMs: locked.offerMs,
      mayPromote: locked.mayPromote,
      buyers,
      otherOrders: Map.groupBy(others, ({ registrationId }) => registrationId),
      types: new Map(types.map((type) => [type.id, typeState(type, waitlisted)])),
      registrations: new Map([...waitlisted, ...registrations].map((row) => [row.id, row])),
      active: new Map(
        registrations
          .filter(({ status }) => status !== 'cancelled' && status !== 'rejected')
          .map(({ normalEmail, id }) => [normalEmail, id]),
      ),
      codes: new Map(codes.map((code) => [code.key, code])),
      reservations: new Map(reservations.map((reservation) => [reservation.id, reservation])),
    },
  };
}

const typeState = (row: TypeRow, waitlisted: readonly RegistrationRow[]): TypeState => ({
  id: row.id,
  status: row.status,
  capacity: row.capacity,
  allowWaitlist: row.allowWaitlist,
  requiresApproval: row.requiresApproval,
  opensAt: row.opensAt,
  closesAt: row.closesAt,
  priceAmount: row.priceAmount,
  confirmed: row.confirmed,
  waitlisted: row.waitlisted,
  offered: row.offered,
  reserved: row.reserved,
  waitlist: waitlisted.filter(({ ticketTypeId }) => ticketTypeId === row.id).map(({ id }) => id),
});

async function readCodes(
  tx: Tx,
  event: string[],
  { codeKeys }: RecordRefs,
  users: readonly { redemptionCodeId: string | null }[],
): Promise<CodeState[]> {
  const ids = users.flatMap(({ redemptionCodeId }) => redemptionCodeId ?? []);
  if (codeKeys.length === 0 && ids.length === 0) return [];
  const rows = await tx.query(referencedCodes, [...event, codeKeys, ids]);
  return rows.map(({ discountType, discountValue, ...row }) => ({
    ...row,
    discount:
      discountType === null || discountValue === null
        ? null
        : { type: discountType, value: discountValue },
  }));
}
