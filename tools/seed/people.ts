import type { CreateRegistration } from '@event-api/client';

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

/** Change of a registration after its creation. */
type Fate = 'approve' | 'reject' | 'cancel' | null;

export interface DemoPerson extends CreateRegistration {
  email: string;
  name: string;
  /** Name of the ticket type. */
  ticketType: string;
  fate: Fate;
}

interface Group {
  ticketType: string;
  people: number;
  /** The first `people` of the group use this code. */
  code?: { code: string; people: number };
  /** Number of people with each fate, counted from the end of the group. */
  fates?: Partial<Record<NonNullable<Fate>, number>>;
}

/** 200 people. The workshop has 24 seats; later registrations are waitlisted. */
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

/** All people who register for the demo conference, in the order of the groups. Deterministic. */
export function demoPeople(): DemoPerson[] {
  return groups
    .flatMap((group) => Array.from({ length: group.people }, (_, n) => inGroup(group, n)))
    .map((registration, n) => ({ ...identity(n), ...registration }));
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

/** One of 200 unique names. */
function identity(n: number): { email: string; name: string } {
  const first = firstNames[n % firstNames.length] ?? '';
  const last = lastNames[(n + Math.floor(n / firstNames.length)) % lastNames.length] ?? '';
  return {
    name: `${first} ${last}`,
    email: `${first}.${last}@example.com`.toLowerCase(),
  };
}
