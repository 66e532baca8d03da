import { plural } from '../format/count.ts';

const sessions = (count: number) => plural(count, 'session', 'sessions');

export const programText = {
  title: 'Program',
  views: { agenda: 'Agenda', speakers: 'Speakers', rooms: 'Rooms' },
  viewsLabel: 'Parts of the program',
  days: 'Days',
  addSession: 'Add a session',
  addSpeaker: 'Add a speaker',
  addRoom: 'Add a room',
  empty: 'The agenda is empty',
  emptyText: 'Add the rooms first, then the sessions. Integrators read both over the API.',
  emptyDay: 'Nothing on this day',
  noRoom: 'No room',
  gridHelp:
    'Drag a session to move it, its lower edge to change its length. With the keyboard: Alt and an arrow key moves it, Alt, Shift and an arrow key changes its length.',
  locked: 'Needs a perk',
  conflicts: { room: 'Another session is in this room', speaker: 'A speaker has another session' },
  times: (from: string, to: string) => `${from} – ${to}`,
  timesOnDay: ({ day, from, to, zone }: { day: string; from: string; to: string; zone: string }) =>
    `${day}, ${from} – ${to} ${zone}`,
  moved: (title: string, from: string, to: string) => `${title}: ${from} – ${to}`,
  fields: {
    title: 'Title',
    description: 'Description',
    startsAt: 'Starts',
    endsAt: 'Ends',
    room: 'Room',
    gate: 'Perks that open it',
    gateHelp: 'Any of them is enough. Without one it is open to everyone.',
    roomGateHelp: 'Any of them is enough. It holds for every session in the room.',
    name: 'Name',
    position: 'Position',
    bio: 'Biography',
    sessions: 'Sessions',
  },
  createSession: 'Create the session',
  createSpeaker: 'Create the speaker',
  createRoom: 'Create the room',
  edit: (name: string) => `Edit ${name}`,
  created: (name: string) => `${name} is created`,
  saved: (name: string) => `${name} is saved`,
  remove: 'Delete',
  removeTitle: (name: string) => `Delete ${name}?`,
  removeConfirm: (name: string) => `Delete ${name}`,
  removed: (name: string) => `${name} is deleted`,
  removeSession: 'It leaves the agenda. Its check-ins stay. This cannot be undone.',
  removeSpeaker: 'The person leaves the line-up. The sessions stay. This cannot be undone.',
  removeRoom: (inRoom: number) =>
    inRoom === 0
      ? 'Booths in it stay without a room. This cannot be undone.'
      : `${sessions(inRoom)} and the booths in it stay without a room. This cannot be undone.`,
  removeGatedRoom: (inRoom: number) =>
    `${sessions(inRoom)} in it rely on its gate and then require only their own perks. This cannot be undone.`,
  noSpeakers: 'No speakers yet',
  noSpeakersText: 'Speakers belong to sessions. The agenda shows when one has two at a time.',
  noRooms: 'No rooms yet',
  noRoomsText: 'A room can have a gate: then only people with one of its perks can enter.',
  columns: {
    name: 'Name',
    position: 'Position',
    sessions: 'Sessions',
    gate: 'Opens with',
    menu: '',
  },
  openToAll: 'Open to everyone',
} as const;
