import type { Fulfilment } from '@event-api/contracts/internal/reservations';
import type { Line, OrderedAddon } from './lines.rules.ts';

/**
 * The registrations of each line: one per seat; on a line without seats, those that received its
 * add-ons, one per named recipient who is still registered.
 */
export function registrationsOfLines(
  {
    lines,
    addons,
  }: {
    lines: readonly Pick<Line, 'firstSeat' | 'seatCount'>[];
    addons: readonly OrderedAddon[];
  },
  fulfilment: Pick<Fulfilment, 'seats' | 'addonRegistrationId' | 'addonRegistrationIds'>,
): string[][] {
  return lines.map(({ firstSeat, seatCount }, n) => {
    if (seatCount > 0) {
      const seats = fulfilment.seats.slice(firstSeat, firstSeat + seatCount);
      return seats.map(({ registrationId }) => registrationId);
    }
    const receivers = receiversOfLine(addons, fulfilment, n) ?? [fulfilment.addonRegistrationId];
    return [...new Set(receivers.flatMap((id) => id ?? []))];
  });
}

/**
 * The registrations of each line that the order did not create: their attendees had them before.
 */
export const unfulfilledRegistrationsOfLines = (
  { lines }: { lines: readonly Pick<Line, 'firstSeat' | 'seatCount'>[] },
  { seats }: Pick<Fulfilment, 'seats'>,
): string[][] =>
  lines.map(({ firstSeat, seatCount }) =>
    seats
      .slice(firstSeat, firstSeat + seatCount)
      .flatMap(({ registrationId, created }) => (created ? [] : registrationId)),
  );

/**
 * The registrations that received the add-ons of a line, null for a person who is not registered
 * any more. Undefined if the buyer received all add-ons of the order.
 */
export function receiversOfLine(
  addons: readonly OrderedAddon[],
  { addonRegistrationIds }: Pick<Fulfilment, 'addonRegistrationIds'>,
  line: number,
): (string | null)[] | undefined {
  if (!addonRegistrationIds) return undefined;
  return addons.flatMap((addon, n) => (addon.line === line ? (addonRegistrationIds[n] ?? []) : []));
}
