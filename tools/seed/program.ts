import type { createExhibitor } from '@event-api/contracts/operator/exhibitors';
import type {
  createSession,
  createSpeaker,
  createVenue,
} from '@event-api/contracts/operator/program';
import type { z } from 'zod';

type Scope = 'businessUnitId' | 'eventId';
type NewVenue = Omit<z.input<typeof createVenue.schema.body>, Scope | 'perkIds'>;
type NewSession = Omit<
  z.input<typeof createSession.schema.body>,
  Scope | 'perkIds' | 'venueId' | 'startsAt' | 'endsAt'
>;
type NewSpeaker = Omit<z.input<typeof createSpeaker.schema.body>, Scope | 'sessionIds'>;
type NewExhibitor = Omit<z.input<typeof createExhibitor.schema.body>, Scope>;

/** Perks and rooms are referred to by name. */
export const demoVenues: (NewVenue & { gate: string[] })[] = [
  { name: 'Main hall', description: 'Ground floor, 400 seats.', gate: [] },
  {
    name: 'Workshop rooms',
    description: 'Second floor, tables and power.',
    gate: ['Workshop rooms'],
  },
  { name: 'Backstage', description: null, gate: ['Backstage', 'Green room'] },
];

/** Start as days after the first day and hour of the day, and duration. */
export const demoSessions: (NewSession & {
  room: string | null;
  gate: string[];
  day: number;
  hour: number;
  minutes: number;
})[] = [
  { title: 'Opening', room: 'Main hall', gate: [], day: 0, hour: 0, minutes: 45 },
  {
    title: 'What a badge may tell',
    description: 'Doors, gates and what they need to know.',
    room: 'Main hall',
    gate: [],
    day: 0,
    hour: 1,
    minutes: 60,
  },
  { title: 'Lunch', room: null, gate: ['Lunch'], day: 0, hour: 3, minutes: 90 },
  {
    title: 'Hands-on: an event in an hour',
    room: 'Workshop rooms',
    gate: [],
    day: 1,
    hour: 0,
    minutes: 180,
  },
  { title: 'Harbour tour', room: null, gate: ['Boat'], day: 1, hour: 8, minutes: 120 },
  { title: 'Closing', room: 'Main hall', gate: [], day: 2, hour: 6, minutes: 30 },
];

/** Speakers, with the titles of their sessions. */
export const demoSpeakers: (NewSpeaker & { sessions: string[]; isRegistered: boolean })[] = [
  {
    name: 'Imani Okafor',
    title: 'Host',
    bio: 'Has opened more conferences than she has closed.',
    sessions: ['Opening', 'Closing'],
    isRegistered: true,
  },
  {
    name: 'Jonas Lindqvist',
    title: 'Engineer',
    bio: null,
    sessions: ['What a badge may tell', 'Hands-on: an event in an hour'],
    isRegistered: false,
  },
];

/**
 * Exhibitors, with the decision on the application, the ticket type of the staff, and the booths.
 */
export const demoExhibitors: (NewExhibitor & {
  decision: 'confirm' | 'decline' | null;
  staff: string | null;
  booths: { number: string; type: string; room: string }[];
})[] = [
  {
    name: 'Nordlicht Displays',
    description: 'Signs that can be read in the sun.',
    website: 'https://nordlicht.example',
    decision: 'confirm',
    staff: 'Community pass',
    booths: [
      { number: 'A1', type: 'corner', room: 'Main hall' },
      { number: 'A2', type: 'row', room: 'Main hall' },
    ],
  },
  {
    name: 'Lanyard & Sons',
    description: null,
    website: null,
    decision: null,
    staff: null,
    booths: [],
  },
  {
    name: 'Fog Machines Ltd',
    description: 'Applied too late.',
    website: null,
    decision: 'decline',
    staff: null,
    booths: [],
  },
];

/** Numbers of confirmed registrations that are checked in at the event and at the main hall. */
export const demoCheckins = { event: 40, hall: 15 };
