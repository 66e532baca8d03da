import type { ChangeType } from '@event-api/contracts/changes';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { AdmissionState, Change, RegistrationState } from '../seats/seats.rules.ts';

/** The net change of one registration by one command. */
export interface RegistrationChange {
  registrationId: string;
  type: ChangeType;
  /** Null for a new registration. */
  previous: RegistrationStatus | null;
  current: RegistrationStatus;
}

type Compared = Pick<RegistrationState, 'status' | 'offerId'>;

/**
 * The registrations that a command has touched, in order, as they were before it; null for new
 * ones.
 */
export type Touched = Map<string, Compared | null>;

/**
 * Adds the registrations that `changes` touch to `touched`. Call it before the changes are applied
 * to `state`.
 */
export function touch(touched: Touched, state: AdmissionState, changes: readonly Change[]): void {
  for (const change of changes) {
    const id = registrationIdOf(state, change);
    if (id === null || touched.has(id)) continue;
    const before = state.registrations.get(id);
    touched.set(id, before ? { status: before.status, offerId: before.offerId } : null);
  }
}

/**
 * The registration whose fields, as the API returns them, a change sets; null for changes of seats,
 * add-ons and the lists of orders.
 */
function registrationIdOf(state: AdmissionState, change: Change): string | null {
  switch (change.kind) {
    case 'register':
      return change.person.registrationId;
    case 'set_status':
    case 'change_registration':
      return change.id;
    case 'hand_over':
      return change.registrationId;
    case 'reserve':
      return change.reservation.offer?.registrationId ?? null;
    case 'close_reservation':
      return state.reservations.get(change.id)?.offer?.registrationId ?? null;
    case 'take_offer':
    case 'return_offer':
    case 'add_addons':
    case 'remove_addons':
    case 'limit_addons':
    case 'assign_seat':
    case 'move_open_seat':
    case 'record_type_change':
    case 'list_registration':
    case 'unlist_registrations':
      return null;
  }
}

/**
 * Compares the touched registrations with `state`, to which all changes of the command are applied.
 */
export const netChanges = (touched: Touched, state: AdmissionState): RegistrationChange[] =>
  [...touched].flatMap(([registrationId, before]) => {
    const after = state.registrations.get(registrationId);
    if (!after) return [];
    const type = before ? typeOf(before, after) : 'registration.created';
    return { registrationId, type, previous: before?.status ?? null, current: after.status };
  });

// No transition leads back to `pending`.
const moves: Record<RegistrationStatus, ChangeType> = {
  pending: 'registration.updated',
  waitlisted: 'registration.waitlisted',
  confirmed: 'registration.confirmed',
  rejected: 'registration.rejected',
  cancelled: 'registration.cancelled',
};

function typeOf(before: Compared, after: Compared): ChangeType {
  if (before.status !== after.status) return moves[after.status];
  if (before.offerId === after.offerId) return 'registration.updated';
  return after.offerId === null ? 'registration.offer_ended' : 'registration.seat_offered';
}
