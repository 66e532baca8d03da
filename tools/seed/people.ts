import type { CreateRegistration } from '@event-api/contracts/http/registrations';
import type { z } from 'zod';

const firstNames = [
  'Ada',
  'Bruno',
  'Chiara',
  'Dmitri',
  'Elif',
  'Femi',
  'Greta',
  'Hiroshi',
  'Ines',
  'Jonas',
  'Katarzyna',
  'Liam',
  'Mei',
  'Noor',
  'Oskar',
  'Priya',
  'Quentin',
  'Rosa',
  'Sven',
  'Tomasz',
];

const lastNames = [
  'Andersen',
  'Bauer',
  'Costa',
  'Dubois',
  'Eriksson',
  'Ferrari',
  'Garcia',
  'Hoffmann',
  'Ivanova',
  'Jansen',
];

/** What becomes of a registration after it was made. */
type Fate = 'approve' | 'reject' | 'cancel' | null;

export interface DemoPerson extends z.input<typeof CreateRegistration> {
  email: string;
  name: string;
  /** By name. */
  ticketType: string;
  fate: Fate;
}

interface Group {
  ticketType: string;
  people: number;
  /** How many of them come with a code; they come first. */
  code?: { code: string; people: number };
  /** Of the last ones. */
  fates?: Partial<Record<NonNullable<Fate>, number>>;
}

/** 200 people; the workshop has 24 seats, and those who come later wait. */
const groups: Group[] = [
  {
    ticketType: 'Conference pass',
    people: 88,
    code: { code: 'EARLY-BIRD', people: 15 },
    fates: { cancel: 8 },
  },
  { ticketType: 'Community pass', people: 45, fates: { cancel: 5 } },
  { ticketType: 'Speaker pass', people: 12, code: { code: 'ON-STAGE', people: 12 } },
  { ticketType: 'Scholarship pass', people: 23, fates: { approve: 9, reject: 5 } },
  { ticketType: 'Workshop day', people: 30 },
  {
    ticketType: 'Dinner with the speakers',
    people: 2,
    code: { code: 'TABLE-FOR-TWO', people: 2 },
  },
];

/** Everybody who registers for the demo conference, in the order of the groups; the same at every start. */
export function demoPeople(): DemoPerson[] {
  return groups
    .flatMap((group) => Array.from({ length: group.people }, (_, n) => inGroup(group, n)))
    .map((wish, n) => ({ ...identity(n), ...wish }));
}

function inGroup({ ticketType, people, code, fates = {} }: Group, n: number) {
  const fateOfLast = (Object.entries(fates) as [NonNullable<Fate>, number][]).flatMap(
    ([fate, count]) => Array<NonNullable<Fate>>(count).fill(fate),
  );
  return {
    ticketType,
    fate: fateOfLast[people - 1 - n] ?? null,
    ...(code && n < code.people && { redemptionCode: code.code }),
  };
}

/** 200 of 200 possible names. */
function identity(n: number): { email: string; name: string } {
  const first = firstNames[n % firstNames.length] ?? '';
  const last = lastNames[(n + Math.floor(n / firstNames.length)) % lastNames.length] ?? '';
  return {
    name: `${first} ${last}`,
    email: `${first}.${last}@example.com`.toLowerCase(),
  };
}
