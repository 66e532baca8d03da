import { Addon as AddonContract } from '@event-api/contracts/http/addons';
import { viewOf } from '@event-api/platform/http/record-view';
import { availableSeats } from '@event-api/rules/remaining-seats';
import type { z } from 'zod';
import { type AddonRow, storedColumns } from './addons.queries.ts';

const storedView = viewOf(AddonContract.omit({ availability: true }), storedColumns);

/** The response body of an add-on. */
export const addonView = (row: AddonRow): z.input<typeof AddonContract> => ({
  ...storedView(row),
  availability: {
    capacity: row.capacity,
    sold: row.sold,
    held: row.held,
    remaining:
      row.capacity === null
        ? null
        : availableSeats({ capacity: row.capacity, confirmed: row.sold, reserved: row.held }),
  },
});
