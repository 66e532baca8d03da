import type { CapacityGroup } from '@event-api/contracts/http/events';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { availableSeats } from '@event-api/rules/remaining-seats';
import { TicketTypeProjection } from '../projections/ticket-type.projection.ts';
import { type LockedEvent, lockEvent } from '../seats/lock-event.ts';
import { maxPromotions } from '../seats/promotion/promotion.rules.ts';
import type {
  AddonState,
  AdmissionState,
  Details,
  ReservationState,
  TypeState,
} from '../seats/seats.rules.ts';
import { mayChangeUnits, readAddons, readDelivered } from './read-addons.ts';
import { readHolds, withSeats } from './read-buyers.ts';
import { readCodes } from './read-codes.ts';
import {
  comparedDetails,
  detailsOf,
  type OtherOrderRow,
  otherOrdersOf,
  type RegistrationRow,
  referencedRegistrations,
  waitlistedRegistrations,
} from './read-registrations.ts';
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
  /** The units of add-ons. */
  units: ReadonlyMap<string, { confirmed: number; reserved: number }>;
  /** Uses of codes, by the code's id. */
  uses: ReadonlyMap<string, number>;
}

const typeColumns = columnsOf(TicketTypeProjection, 't', {
  only: [
    'id',
    'status',
    'capacity',
    'capacityGroupId',
    'allowWaitlist',
    'requiresApproval',
    'opensAt',
    'closesAt',
    'priceAmount',
    'taxRate',
    'minPerOrder',
    'maxPerOrder',
  ],
});

interface TypeRow extends LedgerRow, RowOf<typeof typeColumns> {
  /** Whether the event has open reservations that have expired; the same in each row. */
  hasExpiredReservations: boolean;
}

type GroupedRow = TypeRow & Pick<TypeState, 'group'>;

const typesOfEvent = statement<TypeRow>(
  'admission_types',
  `select ${typeColumns.sql}, coalesce(l.confirmed, 0) as confirmed,
     coalesce(l.waitlisted, 0) as waitlisted, coalesce(l.offered, 0) as offered,
     coalesce(l.reserved, 0) as reserved, t.version as "projectedVersion",
     coalesce(l.ticket_type_version, 0) as "ticketTypeVersion",
     exists (
       select from registration.seat_reservation c
       where c.state = 'active' and c.expires_at <= statement_timestamp() and c.event_id = $1
         and c.business_unit_id = $2
     ) as "hasExpiredReservations"
   from registration.ticket_type_projection t
   left join registration.seat_ledger l on l.ticket_type_id = t.id
   where t.event_id = $1 and t.business_unit_id = $2`,
);

/**
 * Locks the event and reads the state that a batch decides on: none of it can change before the
 * commit. Returns null if the projection does not have the event. The reads are sent behind the
 * lock without waiting for it; the server runs each of them when it has the lock, on what is
 * committed by then.
 */
export async function lockAndReadState(
  tx: Tx,
  scope: EventScope,
  refs: RecordRefs,
  mayPromote: boolean,
): Promise<{ state: AdmissionState; loaded: LoadedState } | null> {
  const [locked, behindLock] = await Promise.all([
    lockEvent(tx, scope),
    readReferenced(tx, scope, refs),
  ]);
  if (!locked) return null;
  // There was no row to lock before it was created, so the reads did not wait for it.
  const first = locked.isCreated ? await readReferenced(tx, scope, refs) : behindLock;
  return readRest(tx, scope, refs, { ...first, ...locked, mayPromote });
}

interface FirstReads {
  types: TypeRow[];
  /** Null if no request of the batch can change the units of an add-on. */
  addons: AddonState[] | null;
  referenced: RegistrationRow[];
  details: Map<string, Details>;
  holds: ReadonlyMap<string, number>;
  others: OtherOrderRow[];
  /** Null if the batch refers to no reservation. */
  known: ReservationState[] | null;
}

/** What the requests refer to, in one round trip. */
async function readReferenced(tx: Tx, scope: EventScope, refs: RecordRefs): Promise<FirstReads> {
  const event = [scope.eventId, scope.businessUnitId];
  const { emails, registrationIds, comparedIds, orderIds, reservationIds, buyerEmails } = refs;
  const [types, addons, referenced, compared, holds, others, known] = await Promise.all([
    tx.query(typesOfEvent, event),
    mayChangeUnits(refs) ? readAddons(tx, scope, refs) : null,
    emails.length + registrationIds.length + orderIds.length > 0
      ? tx.query(referencedRegistrations, [...event, emails, registrationIds, orderIds])
      : [],
    comparedIds.length > 0 ? tx.query(comparedDetails, [...event, comparedIds]) : [],
    readHolds(tx, scope, buyerEmails),
    orderIds.length > 0 ? tx.query(otherOrdersOf, [...event, orderIds]) : [],
    reservationIds.length > 0
      ? readReservations(tx, scope, {
          ids: reservationIds,
          offersOfTypes: [],
          openSeatsOf: orderIds,
        })
      : null,
  ]);
  const details = new Map(compared.map((row) => [row.id, detailsOf(row)]));
  return { types, addons, referenced, details, holds, others, known };
}

/** What depends on the first reads. Most batches need none of it. */
async function readRest(
  tx: Tx,
  scope: EventScope,
  refs: RecordRefs,
  {
    types: rows,
    addons: knownAddons,
    referenced,
    details,
    holds,
    others,
    known,
    ...locked
  }: FirstReads & LockedEvent & { mayPromote: boolean },
): Promise<{ state: AdmissionState; loaded: LoadedState }> {
  const event = [scope.eventId, scope.businessUnitId];
  const types = withGroups(rows, locked.capacityGroups);
  const hasExpiredReservations = types[0]?.hasExpiredReservations ?? true;
  const promotableTypes = types
    .filter((type) => type.waitlisted > type.offered)
    .filter((type) => hasExpiredReservations || refs.mayReleaseSeats || availableSeats(type) > 0);
  const offerIds = referenced.flatMap(({ offerId }) => offerId ?? []);
  // What the order of a registration paid for it.
  const paidIds = referenced.flatMap(({ id, orderId }) =>
    refs.pricedIds.includes(id) ? (orderId ?? []) : [],
  );
  // A type that has become free confirms the registrations with an offer.
  const offersOfTypes = types.filter((type) => type.priceAmount === 0 && type.offered > 0);
  const isComplete = known !== null || !hasExpiredReservations;
  const [addons, more, waitlisted, buyers] = await Promise.all([
    knownAddons ?? (hasExpiredReservations ? readAddons(tx, scope, refs) : []),
    isComplete && offerIds.length + paidIds.length + offersOfTypes.length === 0
      ? []
      : readReservations(tx, scope, {
          ids: [...offerIds, ...paidIds],
          offersOfTypes,
          openSeatsOf: [],
        }),
    promotableTypes.length > 0
      ? tx.query(waitlistedRegistrations, [promotableTypes.map(({ id }) => id)])
      : [],
    withSeats(tx, scope, locked.limits, holds),
  ]);
  const reservations = [
    ...new Map([...(known ?? []), ...more].map((one) => [one.id, one])).values(),
  ];
  const loadedIds = new Set(referenced.map(({ id }) => id));
  const offeredIds = reservations.flatMap(({ offer }) =>
    offer && !loadedIds.has(offer.registrationId) ? [offer.registrationId] : [],
  );
  const offered =
    offeredIds.length > 0
      ? await tx.query(referencedRegistrations, [...event, [], offeredIds, []])
      : [];
  const registrations = [...referenced, ...offered];
  const [codes, delivered] = await Promise.all([
    readCodes(tx, event, refs, [...registrations, ...reservations]),
    readDelivered(tx, scope, refs, { registrations, reservations }),
  ]);
  return {
    loaded: {
      ledger: new Map(types.map((type) => [type.id, type])),
      units: new Map(addons.map((addon) => [addon.id, addon])),
      uses: new Map(codes.map(({ id, uses }) => [id, uses])),
    },
    state: {
      now: locked.now,
      eventStatus: locked.status,
      isCancelled: locked.isCancelled,
      eventEndsAt: locked.endsAt,
      limits: locked.limits,
      offerMs: locked.offerMs,
      mayPromote: locked.mayPromote,
      ordersGiven: 0,
      buyers,
      otherOrders: Map.groupBy(others, ({ registrationId }) => registrationId),
      types: new Map(types.map((type) => [type.id, typeState(type, waitlisted)])),
      addons: new Map(addons.map((addon) => [addon.id, { ...addon }])),
      delivered,
      registrations: new Map([...waitlisted, ...registrations].map((row) => [row.id, row])),
      details,
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

/** The ticket types with the capacities that they share. Those of a group have the same object. */
function withGroups(
  types: readonly TypeRow[],
  capacityGroups: readonly CapacityGroup[],
): GroupedRow[] {
  const groups = new Map(
    capacityGroups.map(({ id, capacity }) => {
      const members = types.filter(({ capacityGroupId }) => capacityGroupId === id);
      const taken = members.reduce((sum, { confirmed, reserved }) => sum + confirmed + reserved, 0);
      return [id, { id, capacity, taken }];
    }),
  );
  return types.map((type) => ({ ...type, group: groups.get(type.capacityGroupId ?? '') ?? null }));
}

function typeState(row: GroupedRow, waitlisted: readonly RegistrationRow[]): TypeState {
  const ofType = waitlisted.filter(({ ticketTypeId }) => ticketTypeId === row.id);
  const waitlistContinues = ofType.length === maxPromotions;
  return { ...row, waitlist: ofType.map(({ id }) => id), waitlistContinues };
}
