import { isSeatId } from '@event-api/contracts/seat-ids';
import type { AdmissionState, Change, Fulfilment, Person } from '../seats/seats.rules.ts';
import { countUnits, type RequestedUnits, unitsOf } from './addon-units.rules.ts';

/**
 * An add-on of an order with the normalized emails that receive it; without any, the buyer does.
 */
export interface RequestedAddon {
  addonId: string;
  emails: readonly string[];
}

interface AddonRequest {
  reservationId: string;
  buyerEmail: string;
  seats: readonly { person: Pick<Person, 'normalEmail'> | null }[];
  addonIds: readonly string[];
  /** Undefined if the buyer receives all of `addonIds`. */
  addons?: readonly RequestedAddon[] | undefined;
  /** Undefined for one unit of each of `addonIds`. */
  addonUnits?: readonly RequestedUnits[] | undefined;
}

/** Units that a fulfilled order adds to a registration, or keeps for an open seat. */
export type AddedUnits = Extract<Change, { kind: 'add_addons' }>;

export type NotRegistered = { addon: number; attendee: number } | Record<never, never>;

/**
 * Finds the first recipient of an add-on who is neither an attendee of the order nor registered in
 * the event, by the emails of active registrations; an empty object stands for the buyer. The buyer
 * of an order with seats needs no registration: a seat can receive the add-ons.
 */
export function findUnregistered(
  active: Pick<ReadonlyMap<string, unknown>, 'has'>,
  {
    seatEmails,
    buyerEmail,
    addonIds,
    addons,
  }: Pick<AddonRequest, 'buyerEmail' | 'addonIds' | 'addons'> & {
    /** One per seat; null for an open one. */
    seatEmails: readonly (string | null)[];
  },
): NotRegistered | null {
  const hasSeat = (email: string) => active.has(email) || seatEmails.includes(email);
  for (const [addon, { emails }] of (addons ?? []).entries()) {
    const attendee = emails.findIndex((email) => !hasSeat(email));
    if (attendee >= 0) return { addon, attendee };
  }
  const needsBuyer = addons
    ? addons.some(({ emails }) => emails.length === 0)
    : addonIds.length > 0;
  return needsBuyer && seatEmails.length === 0 && !active.has(buyerEmail) ? {} : null;
}

/** Whether an order of add-ons only has no registration left that can receive any of them. */
export function hasNoRecipient(
  { active }: Pick<AdmissionState, 'active'>,
  { seats, addonIds, addons, buyerEmail }: AddonRequest,
): boolean {
  if (seats.length > 0 || addonIds.length === 0) return false;
  const recipients = addons?.flatMap(({ emails }) => (emails.length > 0 ? emails : [buyerEmail]));
  return !(recipients ?? [buyerEmail]).some((email) => active.has(email));
}

/**
 * Adds the units of a fulfilled order to exactly the registrations of their recipients: one to each
 * named person, the others to the buyer. A named person who is not registered any more receives
 * nothing. Without a registration of the buyer or of an attendee, the first open seat keeps them.
 */
export function deliverAddons(
  state: Pick<AdmissionState, 'active'>,
  request: AddonRequest,
  fulfilled: Fulfilment['seats'],
): { fulfilment: Omit<Fulfilment, 'seats'>; changes: AddedUnits[] } {
  const { addonIds, addons, reservationId: orderId } = request;
  const buyer = addonIds.length > 0 ? registrationOfBuyer(state, request, fulfilled) : null;
  const ordered = countUnits(unitsOf(request));
  if (!addons) {
    const units = [...ordered].map(([addonId, quantity]) => ({ addonId, quantity }));
    return {
      fulfilment: { addonRegistrationId: buyer },
      changes: buyer ? [{ kind: 'add_addons', registrationId: buyer, orderId, units }] : [],
    };
  }
  const addonRegistrationIds = addons.map(({ emails }) =>
    emails.length > 0
      ? emails.map((email) => registrationOf(state, request, fulfilled, email))
      : [buyer],
  );
  const named = countNamed(addons);
  const delivered = Map.groupBy(
    addons.flatMap(({ addonId, emails }, n) =>
      (addonRegistrationIds[n] ?? []).flatMap((id) => {
        if (id === null) return [];
        const quantity = emails.length > 0 ? 1 : unitsOfBuyer(addonId, ordered, named);
        return [{ id, addonId, quantity, isBuyers: emails.length === 0 }];
      }),
    ),
    ({ id }) => id,
  );
  return {
    fulfilment: {
      addonRegistrationId: addons.some(({ emails }) => emails.length === 0) ? buyer : null,
      addonRegistrationIds,
    },
    changes: [...delivered].map(([registrationId, items]) => ({
      kind: 'add_addons',
      registrationId,
      orderId,
      units: sumUnits(items),
    })),
  };
}

const countNamed = (addons: readonly RequestedAddon[]): Map<string, number> =>
  countUnits(addons.map(({ addonId, emails }) => ({ addonId, quantity: emails.length })));

/** The units of an add-on that are for no named person. */
const unitsOfBuyer = (
  addonId: string,
  ordered: ReadonlyMap<string, number>,
  named: ReadonlyMap<string, number>,
): number => Math.max(1, (ordered.get(addonId) ?? 0) - (named.get(addonId) ?? 0));

/** The units of each add-on. Several lines of an add-on for the buyer are counted together once. */
function sumUnits(
  items: readonly { addonId: string; quantity: number; isBuyers: boolean }[],
): { addonId: string; quantity: number }[] {
  const named = items.filter(({ isBuyers }) => !isBuyers);
  const ofBuyer = new Map(
    items.filter(({ isBuyers }) => isBuyers).map((item) => [item.addonId, item]),
  );
  const counts = countUnits([...named, ...ofBuyer.values()]);
  return [...counts].map(([addonId, quantity]) => ({ addonId, quantity }));
}

/** The registrations that received add-ons. */
export const receiversOf = ({
  addonRegistrationId,
  addonRegistrationIds = [],
}: Omit<Fulfilment, 'seats'>): string[] => {
  const ids = [addonRegistrationId, ...addonRegistrationIds.flat()];
  return [...new Set(ids.flatMap((id) => id ?? []))];
};

/**
 * The buyer's registration if there is one, otherwise that of the first seat with an attendee,
 * otherwise the first open seat.
 */
const registrationOfBuyer = (
  state: Pick<AdmissionState, 'active'>,
  request: AddonRequest,
  fulfilled: Fulfilment['seats'],
): string | null =>
  registrationOf(state, request, fulfilled, request.buyerEmail) ??
  (fulfilled.find(({ registrationId }) => !isSeatId(registrationId)) ?? fulfilled[0])
    ?.registrationId ??
  null;

function registrationOf(
  { active }: Pick<AdmissionState, 'active'>,
  { seats }: AddonRequest,
  fulfilled: Fulfilment['seats'],
  email: string,
): string | null {
  const seat = seats.findIndex(({ person }) => person?.normalEmail === email);
  return fulfilled[seat]?.registrationId ?? active.get(email) ?? null;
}
