import type { createAddon } from '@event-api/contracts/http/addons';
import type { createEvent } from '@event-api/contracts/http/events';
import type { CreateRedemptionCodes } from '@event-api/contracts/http/redemption-codes';
import type { createTicketType } from '@event-api/contracts/http/ticket-types';
import type { z } from 'zod';

type NewEvent = z.input<(typeof createEvent)['schema']['body']>;
type NewAddon = z.input<(typeof createAddon)['schema']['body']>;
type NewCodes = Omit<z.input<typeof CreateRedemptionCodes>, 'registrationTypeId' | 'ticketTypeId'>;
type NewTicketType = z.input<(typeof createTicketType)['schema']['body']>;

/** Three days of June in the year after `now`, in Berlin. */
export function demoEvent(now: Date): NewEvent {
  const year = now.getUTCFullYear() + 1;
  return {
    name: `Northern Lights Conference ${year}`,
    timezone: 'Europe/Berlin',
    startsAt: `${year}-06-09T09:00:00+02:00`,
    endsAt: `${year}-06-11T17:30:00+02:00`,
  };
}

/** One ticket type of each kind that the API supports. */
export const demoTicketTypes: NewTicketType[] = [
  {
    name: 'Conference pass',
    description: 'All three days, lunch and the evening programme included.',
    priceAmount: 49_900,
    capacity: 600,
    sortOrder: 10,
  },
  {
    name: 'Community pass',
    description: 'Free entry to the exhibition and the keynotes.',
    capacity: 300,
    sortOrder: 20,
  },
  {
    name: 'Speaker pass',
    description: 'For those on stage; not shown in the shop.',
    isPublic: false,
    capacity: 60,
    sortOrder: 30,
  },
  {
    name: 'Scholarship pass',
    description: 'Free of charge. Each application is read before it is approved.',
    requiresApproval: true,
    capacity: 40,
    sortOrder: 40,
  },
  {
    name: 'Workshop day',
    description: 'A day in small groups. When it is full, a waitlist fills the places given back.',
    priceAmount: 19_900,
    capacity: 24,
    allowWaitlist: true,
    sortOrder: 50,
  },
  {
    name: 'Dinner with the speakers',
    description: 'One long table with very few chairs.',
    priceAmount: 8_500,
    capacity: 2,
    sortOrder: 60,
  },
];

export const demoAddons: NewAddon[] = [
  {
    name: 'Printed proceedings',
    description: 'All talks as a book, handed out at the registration desk.',
    priceAmount: 2_900,
    sortOrder: 10,
  },
  {
    name: 'Harbour tour',
    description: 'Two hours on the water on the second evening.',
    priceAmount: 3_500,
    sortOrder: 20,
  },
];

/** Items refer to the names of ticket types and add-ons. */
export const demoBundle = {
  name: 'Conference and workshop',
  description: 'The conference pass, a workshop day and the proceedings for less than their sum.',
  priceAmount: 65_000,
  sortOrder: 10,
  items: [
    { itemType: 'registration_type', name: 'Conference pass' },
    { itemType: 'registration_type', name: 'Workshop day' },
    { itemType: 'addon', name: 'Printed proceedings' },
  ],
} as const;

/** One redemption code in each state, with the name of its ticket type. */
export const demoCodes: (NewCodes & { code: string; ticketType: string })[] = [
  {
    code: 'EARLY-BIRD',
    label: 'A fifth off for the first hundred',
    ticketType: 'Conference pass',
    maxUses: 100,
    discount: { type: 'percent', value: 20 },
  },
  { code: 'ON-STAGE', label: 'For speakers', ticketType: 'Speaker pass', maxUses: null },
  {
    code: 'TABLE-FOR-TWO',
    label: 'Used up',
    ticketType: 'Dinner with the speakers',
    maxUses: 2,
  },
  {
    code: 'OLD-PRICES',
    label: 'Disabled',
    ticketType: 'Conference pass',
    maxUses: null,
    discount: { type: 'amount', value: 10_000 },
  },
];

export const disabledCode = 'OLD-PRICES';

/** A batch of generated codes without uses. */
export const demoBatch = { label: 'For partners', ticketType: 'Community pass', count: 5 };

/** A perk granted to one registration of this ticket type. */
export const demoGrant = { perk: 'Lunch', ticketType: 'Community pass' };

/** `deliveredBy` refers to the names of ticket types, codes and add-ons. */
export const demoPerks = [
  {
    name: 'Lunch',
    description: 'On all three days.',
    deliveredBy: [{ targetType: 'registration_type', name: 'Conference pass' }],
  },
  {
    name: 'Backstage',
    description: 'The rooms behind the stage.',
    deliveredBy: [{ targetType: 'registration_type', name: 'Speaker pass' }],
  },
  {
    name: 'Green room',
    description: 'Coffee and quiet before the talk.',
    deliveredBy: [{ targetType: 'redemption_code', name: 'ON-STAGE' }],
  },
  {
    name: 'Workshop rooms',
    description: null,
    deliveredBy: [{ targetType: 'registration_type', name: 'Workshop day' }],
  },
  {
    name: 'Boat',
    description: 'A place on the harbour tour.',
    deliveredBy: [{ targetType: 'addon', name: 'Harbour tour' }],
  },
] as const;
