import { z } from 'zod';
import { description, line, name, timestamp } from '../http/fields.ts';
import { Session, Speaker, Venue } from '../http/program.ts';
import { operation } from '../operation.ts';
import { commandsOf } from './command-config.ts';
import { eventScope, reference } from './reference.ts';

const perkIds = () =>
  z.array(reference('perk', 'A perk')).max(100).meta({
    description: 'The gate opens for any of these perks; an empty list opens it to everyone',
  });

const command = commandsOf({ tag: 'Program', owner: 'onsite', permission: 'design' });

const gateRemoval =
  'An empty `perkIds` removes the requirement of the gate. Omit `perkIds` to keep the gate as it is.';

const venue = {
  name: name().meta({ description: 'The name of the venue', example: 'Main hall' }),
  description: description().nullable().meta({ description: 'A text about the venue' }),
  perkIds: perkIds(),
};

export const createVenue = operation({
  ...command('venue.create', 'Create a venue; its gate opens for any of its perks'),
  schema: {
    body: z.object({
      ...eventScope,
      name: venue.name,
      description: venue.description.default(null),
      perkIds: venue.perkIds.default([]),
    }),
    response: { 201: Venue },
  },
});

export const updateVenue = operation({
  ...command('venue.update', 'Change a venue; omitted fields keep their values', {
    description: gateRemoval,
  }),
  schema: {
    body: z.object({
      ...eventScope,
      venueId: reference('ven', 'The venue'),
      ...z.object(venue).partial().shape,
    }),
    response: { 200: Venue },
  },
});

export const deleteVenue = operation({
  ...command(
    'venue.delete',
    'Delete a venue that no session needs for its gate; its sessions and booths stay',
    { preconditions: ['GATE_IN_USE'] },
  ),
  schema: {
    body: z.object({
      ...eventScope,
      venueId: reference('ven', 'The venue'),
      openGates: z.boolean().default(false).meta({
        description:
          'Delete the venue even if sessions rely on its gate. Those sessions then require only their own perks.',
      }),
    }),
    response: { 200: Venue },
  },
});

const session = {
  title: name().meta({ description: 'The title of the session', example: 'Opening' }),
  description: description().nullable().meta({ description: 'A text about the session' }),
  startsAt: timestamp('2027-05-10T09:00:00+02:00').meta({
    description: 'Not before the start of the event',
  }),
  endsAt: timestamp('2027-05-10T10:00:00+02:00').meta({
    description: 'After startsAt, and not after the end of the event',
  }),
  venueId: reference('ven', 'The venue, whose gate applies as well').nullable(),
  perkIds: perkIds(),
};

export const createSession = operation({
  ...command('session.create', 'Add a session to the agenda'),
  schema: {
    body: z.object({
      ...eventScope,
      title: session.title,
      description: session.description.default(null),
      startsAt: session.startsAt,
      endsAt: session.endsAt,
      venueId: session.venueId.default(null),
      perkIds: session.perkIds.default([]),
    }),
    response: { 201: Session },
  },
});

export const updateSession = operation({
  ...command('session.update', 'Change a session; omitted fields keep their values', {
    description: gateRemoval,
  }),
  schema: {
    body: z.object({
      ...eventScope,
      sessionId: reference('ses', 'The session'),
      ...z.object(session).partial().shape,
    }),
    response: { 200: Session },
  },
});

export const deleteSession = operation({
  ...command('session.delete', 'Remove a session from the agenda; its check-ins stay'),
  schema: {
    body: z.object({ ...eventScope, sessionId: reference('ses', 'The session') }),
    response: { 200: Session },
  },
});

const speaker = {
  name: name().meta({ description: 'The name of the speaker', example: 'Grace Hopper' }),
  title: line({ min: 0, max: 200 })
    .nullable()
    .meta({ description: 'A position or honorific', example: 'Rear admiral' }),
  bio: description().nullable().meta({ description: 'A text about the speaker' }),
  registrationId: reference('reg', 'The registration').nullable(),
  sessionIds: z
    .array(reference('ses', 'A session'))
    .max(100)
    .meta({ description: 'The sessions of the speaker' }),
};

export const createSpeaker = operation({
  ...command('speaker.create', 'Add a speaker to the line-up'),
  schema: {
    body: z.object({
      ...eventScope,
      name: speaker.name,
      title: speaker.title.default(null),
      bio: speaker.bio.default(null),
      registrationId: speaker.registrationId.default(null),
      sessionIds: speaker.sessionIds.default([]),
    }),
    response: { 201: Speaker },
  },
});

export const updateSpeaker = operation({
  ...command('speaker.update', 'Change a speaker; omitted fields keep their values'),
  schema: {
    body: z.object({
      ...eventScope,
      speakerId: reference('spk', 'The speaker'),
      ...z.object(speaker).partial().shape,
    }),
    response: { 200: Speaker },
  },
});

export const deleteSpeaker = operation({
  ...command('speaker.delete', 'Remove a speaker from the line-up'),
  schema: {
    body: z.object({ ...eventScope, speakerId: reference('spk', 'The speaker') }),
    response: { 200: Speaker },
  },
});
