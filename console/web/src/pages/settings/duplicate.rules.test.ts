import { describe, expect, test } from 'vitest';
import {
  type CopySource,
  copyable,
  copySteps,
  laterBy,
  suggestedStart,
} from './duplicate.rules.ts';

const zone = 'Europe/Berlin';
const day = 24 * 60;

test.each([
  ['2027-05-10T07:00:00.000Z', day, '2027-05-11T07:00:00.000Z'],
  // The clocks go forward on 28 March: 09:00 stays 09:00 in Berlin.
  ['2027-03-27T08:00:00.000Z', day, '2027-03-28T07:00:00.000Z'],
  ['2027-05-10T07:00:00.000Z', -30, '2027-05-10T06:30:00.000Z'],
])('%s is %i minutes later at %s', (instant, minutes, later) => {
  expect(laterBy(instant, minutes, zone)).toBe(later);
});

test.each([
  ['2027-05-10T07:00:00.000Z', '2027-01-01T00:00:00Z', '2028-05-08T07:00:00.000Z'],
  ['2020-05-11T07:00:00.000Z', '2027-01-01T00:00:00Z', '2027-05-03T07:00:00.000Z'],
])('the copy of an event at %s that is made at %s starts at %s', (startsAt, now, start) => {
  expect(suggestedStart(startsAt, zone, new Date(now))).toBe(start);
});

const type = (id: string, status: string) => ({
  ...{ id, status, name: id, description: null, capacity: 10, priceAmount: 500 },
  ...{ allowWaitlist: false, isPublic: true, requiresApproval: false, sortOrder: 3 },
  ...{ opensAt: null, closesAt: '2027-05-09T22:00:00.000Z' },
  ...{ admissionOpensAt: null, admissionClosesAt: null, capacityGroupId: 'cgp_1' },
});
const bundle = (id: string, itemId: string) => ({
  ...{ id, status: 'open', name: id, description: null, priceAmount: null, sortOrder: 0 },
  items: [{ itemType: 'registration_type', itemId, quantity: 2 }],
});

const ofAll = {
  daysBeforeStart: null,
  until: null,
  percent: 50,
  fixedFee: 0,
  ticketTypeIds: [] as string[],
};

const source = {
  event: {
    ...{ id: 'evt_1', name: 'Summit', timezone: zone, currency: 'EUR', features: ['livestream'] },
    ...{ startsAt: '2027-05-10T07:00:00.000Z', endsAt: '2027-05-12T15:00:00.000Z' },
    ...{ admissionOpensAt: '2027-05-10T06:00:00.000Z', admissionClosesAt: null },
    capacityGroups: [{ id: 'cgp_1', name: 'Hall', capacity: 300 }],
  },
  limits: {
    eventId: 'evt_1',
    ...{ maxHoldsPerEmail: null, maxSeatsPerEmail: 4, waitlistOfferMinutes: null },
  },
  doorRules: { eventId: 'evt_1', refuseIfFormerInside: true },
  questions: [
    { id: 'diet', label: 'Diet', type: 'text', required: false, options: null },
    { id: 'size', label: 'Size', type: 'choice', required: true, options: ['S', 'M'] },
  ],
  policy: {
    text: 'Until May',
    refundableUntil: '2027-05-01T00:00:00.000Z',
    automatic: true,
    bands: [
      { ...ofAll, until: '2027-05-01T00:00:00.000Z' },
      { ...ofAll, daysBeforeStart: 3, ticketTypeIds: ['tt_1', 'tt_2'] },
      { ...ofAll, daysBeforeStart: 1, ticketTypeIds: ['tt_2'] },
    ],
  },
  ticketTypes: [type('tt_1', 'open'), type('tt_2', 'archived')],
  addons: [
    {
      id: 'addon_1',
      status: 'draft',
      name: 'T-shirt',
      description: null,
      priceAmount: 1,
      capacity: 20,
      opensAt: null,
      closesAt: '2027-05-01T00:00:00.000Z',
      minPerOrder: null,
      maxPerOrder: 2,
      availability: { capacity: 20, sold: 3, held: 0, remaining: 17 },
      sortOrder: 0,
    },
  ],
  bundles: [bundle('bdl_1', 'tt_1'), bundle('bdl_2', 'tt_2')],
  perks: [
    {
      ...{ id: 'perk_1', name: 'Lounge', description: null },
      bindings: [
        { targetType: 'registration_type', targetId: 'tt_1' },
        { targetType: 'registration_type', targetId: 'tt_2' },
      ],
    },
  ],
  venues: [{ id: 'ven_1', name: 'Hall', description: null, perkIds: ['perk_1'] }],
  sessions: [
    {
      ...{ id: 'ses_1', title: 'Opening', description: null, venueId: 'ven_1', perkIds: [] },
      ...{ startsAt: '2027-05-11T07:00:00.000Z', endsAt: '2027-05-11T08:00:00.000Z' },
    },
  ],
} as unknown as CopySource;

const chosen = { name: 'Summit 2028', startsAt: '2028-05-08T07:00:00.000Z' };

/** Runs the steps. The copy of `tt_1` is `new tt_1`. */
function writesOf(of: CopySource) {
  const ids = new Map<string, string>();
  return copySteps(of, chosen).map(({ write, copies }) => {
    const written = write(ids);
    const capacityGroups = [{ id: 'new cgp_1', name: 'Hall', capacity: 300 }];
    for (const original of copies({ id: '', capacityGroups }).keys()) {
      ids.set(original, `new ${original}`);
    }
    return written;
  });
}

const find = (text: string) =>
  writesOf(source).find((write) => JSON.stringify(write).includes(text));

describe('the copy of an event', () => {
  test('begins with the event, whose dates keep their distance to the start', () => {
    expect(writesOf(source)[0]).toEqual({
      method: 'POST',
      path: 'v1/events',
      body: {
        ...{ name: 'Summit 2028', timezone: zone, currency: 'EUR' },
        ...{ startsAt: chosen.startsAt, endsAt: '2028-05-10T15:00:00.000Z' },
        ...{ admissionOpensAt: '2028-05-08T06:00:00.000Z', admissionClosesAt: null },
      },
    });
  });

  test('has its rules, each only if it was set', () => {
    const eventId = 'new evt_1';
    expect(find('event.setLimits')).toMatchObject({ input: { eventId, maxSeatsPerEmail: 4 } });
    expect(find('event.setFeatures')).toMatchObject({ input: { features: ['livestream'] } });
    expect(find('event.setDoorRules')).toMatchObject({ input: { refuseIfFormerInside: true } });
    expect(find('form.set')).toMatchObject({
      input: {
        questions: [
          { id: 'diet', label: 'Diet', type: 'text', required: false },
          source.questions[1],
        ],
      },
    });
    expect(JSON.stringify(find('form.set'))).not.toContain('null');
    expect(find('refundPolicy.set')).toMatchObject({
      input: {
        refundableUntil: '2028-04-29T00:00:00.000Z',
        automatic: true,
        bands: [
          { ...ofAll, until: '2028-04-29T00:00:00.000Z' },
          // The type that is not copied is left out, and so is a band for it alone.
          { ...ofAll, daysBeforeStart: 3, ticketTypeIds: ['new tt_1'] },
        ],
      },
    });
    const plain = {
      ...source,
      event: { ...source.event, features: [] },
      limits: { ...source.limits, maxSeatsPerEmail: null },
      doorRules: { ...source.doorRules, refuseIfFormerInside: false },
      questions: [],
      policy: null,
    };
    expect(JSON.stringify(writesOf(plain))).not.toMatch(/\.set/);
  });

  test('has shared capacities of its own, which its tickets use', () => {
    expect(writesOf(source)[1]).toEqual({
      method: 'PATCH',
      path: 'v1/events/new evt_1',
      body: { capacityGroups: [{ name: 'Hall', capacity: 300 }] },
    });
    const [, step] = copySteps(source, chosen);
    const response = {
      id: 'evt_2',
      capacityGroups: [{ id: 'cgp_9', name: 'Hall', capacity: 300 }],
    };
    expect([...(step?.copies(response) ?? [])]).toEqual([['cgp_1', 'cgp_9']]);
    const without = { ...source, event: { ...source.event, capacityGroups: [] } };
    expect(writesOf(without)[1]).not.toHaveProperty('method', 'PATCH');
  });

  test('names its own tickets, perks and rooms', () => {
    expect(find('ticket-types')).toMatchObject({
      path: 'v1/events/new evt_1/ticket-types',
      body: {
        name: 'tt_1',
        capacity: 10,
        capacityGroupId: 'new cgp_1',
        closesAt: '2028-05-07T22:00:00.000Z',
        sortOrder: 3,
      },
    });
    expect(find('/bundles')).toMatchObject({
      body: { items: [{ itemId: 'new tt_1', quantity: 2 }] },
    });
    expect(find('perk.bind')).toMatchObject({
      input: { perkId: 'new perk_1', targetId: 'new tt_1' },
    });
    expect(find('venue.create')).toMatchObject({ input: { perkIds: ['new perk_1'] } });
    expect(find('session.create')).toMatchObject({
      input: { startsAt: '2028-05-09T07:00:00.000Z', venueId: 'new ven_1' },
    });
  });

  test('has nothing that is archived, and no bundle of it', () => {
    const { ticketTypes, bundles, perks } = copyable(source);
    expect(ticketTypes.map(({ id }) => id)).toEqual(['tt_1']);
    expect(bundles.map(({ id }) => id)).toEqual(['bdl_1']);
    expect(perks[0]?.bindings).toHaveLength(1);
  });
});
