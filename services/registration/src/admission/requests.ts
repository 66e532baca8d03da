import { isSeatId } from '@event-api/contracts/seat-ids';
import type { ChangeDecision, ChangeRequest } from '../registrations/changes.rules.ts';
import type {
  RegisterDecision,
  RegisterRequest,
  StatusDecision,
  StatusRequest,
} from '../registrations/registrations.rules.ts';
import type { AssignDecision, AssignRequest } from '../reservations/assignment.rules.ts';
import type { KeptUnits, ReleaseDecision } from '../reservations/closing.rules.ts';
import type { FulfilDecision } from '../reservations/fulfilment.rules.ts';
import type {
  OrderRequest,
  ReserveDecision,
  ReserveRequest,
} from '../reservations/reservations.rules.ts';
import type { TypeChangeDecision, TypeChangeRequest } from '../reservations/type-changes.rules.ts';
import type { TypeHoldDecision, TypeHoldRequest } from '../reservations/type-holds.rules.ts';
import type { Change } from '../seats/seats.rules.ts';

/** The result of each kind of admission request. */
export interface AdmissionResults {
  register: RegisterDecision;
  approve: StatusDecision;
  reject: StatusDecision;
  cancel: StatusDecision;
  confirm: StatusDecision;
  change: ChangeDecision;
  reserve: ReserveDecision;
  fulfil: FulfilDecision;
  release: ReleaseDecision;
  revoke: { changes: Change[] };
  return_units: { changes: Change[] };
  assign: AssignDecision;
  change_types: TypeChangeDecision;
  hold_types: TypeHoldDecision;
  promote: { outcome: 'promoted' };
}

export type AdmissionRequest =
  | { kind: 'register'; input: RegisterRequest }
  | (StatusRequest & { kind: 'approve' })
  | (StatusRequest & { kind: 'cancel' })
  | (StatusRequest & { kind: 'confirm' })
  | (StatusRequest & { kind: 'reject'; reason: string | null })
  | { kind: 'change'; input: ChangeRequest }
  | { kind: 'reserve'; input: ReserveRequest }
  | { kind: 'fulfil'; input: OrderRequest & { reacquire: boolean } }
  | { kind: 'release'; reservationId: string; onlyIfExpired: boolean }
  | { kind: 'revoke'; orderId: string; registrationIds?: readonly string[] }
  | { kind: 'return_units'; orderId: string; units: readonly KeptUnits[] }
  | { kind: 'assign'; input: AssignRequest }
  | { kind: 'change_types'; input: TypeChangeRequest }
  | { kind: 'hold_types'; input: TypeHoldRequest }
  | { kind: 'promote' };

export type AdmissionResult = AdmissionResults[keyof AdmissionResults];

/** The records that requests refer to. A batch reads them before it decides. */
export interface RecordRefs {
  emails: string[];
  registrationIds: string[];
  /** Registrations whose price is compared with that of another ticket type. */
  pricedIds: string[];
  /** Registrations whose details are compared with what the caller expects. */
  comparedIds: string[];
  orderIds: string[];
  codeKeys: string[];
  /** Add-ons of orders, also those that the projection does not have. */
  addonIds: string[];
  reservationIds: string[];
  /** Buyers of new reservations, whose limits are checked. */
  buyerEmails: string[];
  /** Whether any of the requests can release a seat. */
  mayReleaseSeats: boolean;
}

const releasingKinds: readonly AdmissionRequest['kind'][] = [
  'cancel',
  'change',
  'change_types',
  'fulfil',
  'release',
  'revoke',
];

export function recordsReferencedBy(requests: readonly AdmissionRequest[]): RecordRefs {
  const emails = new Set<string>();
  const registrationIds = new Set<string>();
  const pricedIds = new Set<string>();
  const comparedIds = new Set<string>();
  const orderIds = new Set<string>();
  const codeKeys = new Set<string>();
  const addonIds = new Set<string>();
  const reservationIds = new Set<string>();
  const buyerEmails = new Set<string>();
  for (const request of requests) {
    if (request.kind === 'register') {
      emails.add(request.input.person.normalEmail);
      if (request.input.codeKey) codeKeys.add(request.input.codeKey);
    } else if (request.kind === 'change') {
      registrationIds.add(request.input.registrationId);
      if (request.input.expected) comparedIds.add(request.input.registrationId);
      if (request.input.ticketTypeId !== null) pricedIds.add(request.input.registrationId);
      if (request.input.holder) emails.add(request.input.holder.normalEmail);
    } else if (request.kind === 'reserve' || request.kind === 'fulfil') {
      const { buyerEmail, seats, addons, codeKey, reservationId } = request.input;
      emails.add(buyerEmail);
      for (const addon of addons ?? []) for (const email of addon.emails) emails.add(email);
      for (const { person } of seats) if (person) emails.add(person.normalEmail);
      for (const addonId of request.input.addonIds) addonIds.add(addonId);
      if (codeKey) codeKeys.add(codeKey);
      reservationIds.add(reservationId);
      if (request.kind === 'reserve') buyerEmails.add(buyerEmail);
    } else if (request.kind === 'release') reservationIds.add(request.reservationId);
    else if (request.kind === 'revoke' || request.kind === 'return_units') {
      orderIds.add(request.orderId);
      reservationIds.add(request.orderId);
      const named = request.kind === 'revoke' ? (request.registrationIds ?? []) : [];
      for (const id of named) if (isSeatId(id)) reservationIds.add(id);
    } else if (request.kind === 'assign') {
      const { orderId, seatId, person } = request.input;
      emails.add(person.normalEmail);
      reservationIds.add(orderId);
      reservationIds.add(seatId);
    } else if (request.kind === 'change_types' || request.kind === 'hold_types') {
      const { orderId, changeId, seats } = request.input;
      orderIds.add(orderId);
      reservationIds.add(orderId);
      reservationIds.add(changeId);
      for (const { holderId } of seats) if (isSeatId(holderId)) reservationIds.add(holderId);
    } else if (request.kind !== 'promote') {
      registrationIds.add(request.registrationId);
      if (request.expected) comparedIds.add(request.registrationId);
    }
  }
  return {
    emails: [...emails],
    registrationIds: [...registrationIds],
    pricedIds: [...pricedIds],
    comparedIds: [...comparedIds],
    orderIds: [...orderIds],
    codeKeys: [...codeKeys],
    addonIds: [...addonIds],
    reservationIds: [...reservationIds],
    buyerEmails: [...buyerEmails],
    mayReleaseSeats: requests.some(({ kind }) => releasingKinds.includes(kind)),
  };
}

/** How many seats a request adds to a batch. */
export function seatCost(request: AdmissionRequest): number {
  if (request.kind === 'reserve' || request.kind === 'fulfil')
    return Math.max(1, request.input.seats.length);
  return 1;
}
