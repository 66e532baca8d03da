import type { EditedBand } from '../../components/ledger/bands.rules.ts';

/** A further band: half of the time and of the part that the last one has. */
export function nextBand(bands: readonly EditedBand[]): EditedBand {
  const last = bands.at(-1);
  const days = last?.daysBeforeStart ?? null;
  return {
    end: 'days',
    daysBeforeStart: last === undefined ? 14 : days === null ? 0 : Math.floor(days / 2),
    until: null,
    percent: last === undefined ? 100 : Math.floor((last.percent ?? 0) / 2),
    fixedFee: 0,
    ticketTypeIds: last?.ticketTypeIds ?? [],
  };
}

/** The bands as `refundPolicy.set` takes them. */
export const toBands = (edited: readonly EditedBand[]) =>
  edited.map(({ end, daysBeforeStart, until, fixedFee, ...band }) => ({
    ...band,
    daysBeforeStart: end === 'days' ? daysBeforeStart : null,
    until: end === 'instant' ? until : null,
    fixedFee: fixedFee ?? 0,
  }));
