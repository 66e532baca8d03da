import type { Decided } from '../scan/check-in.ts';

const scans = (count: number): string => (count === 1 ? '1 scan is' : `${count} scans are`);

/** All texts, so that a language can be added. */
export const text = {
  pair: 'Pair this device',
  pairText:
    'Open the page Doors in the console, choose “Pair a device”, and scan its code with the camera of this device. Or enter the short code beside it here.',
  code: 'Pairing code',
  pairButton: 'Pair',
  pairing: 'Pairing …',
  notPaired: {
    rejected: 'This code is not valid any more. Create a new one in the console.',
    busy: 'Too many codes were tried. Wait a minute, or scan the QR code.',
    unreachable: 'The platform does not respond. Check the connection and try again.',
  },
  noCode:
    'A short code has 8 letters and digits, such as K7QM-3XTB, and may have a name before them, such as EU2-K7QM-3XTB.',
  ended: 'This device was revoked, or its time is over. Pair it again.',
  endedElsewhere: 'Another page of this browser has ended the pairing. Pair this device again.',
  chooseDoor: 'Which door is this?',
  eventDoor: 'Entrance of the event',
  removedDoor: 'A door that does not exist any more',
  changeDoor: 'Change the door',
  unpair: 'Unpair',
  unpairQuestion: 'Unpair this device? It needs a new code afterwards.',
  unpairLater: (count: number) =>
    `${scans(count)} not sent yet. The device can be unpaired when the platform has them.`,
  unsentOf: (events: readonly string[]) =>
    `This device has scans of ${events.join(', ')} that are not sent yet. Pair it with that event again to send them.`,
  device: 'Device',
  until: (time: string) => `Until ${time}`,
  manual: 'Badge code',
  manualHelp: 'A hardware scanner types here by itself.',
  hardware: 'Hardware scanner',
  hardwareHelp:
    'A scanner may end a code with Enter or Tab. Codes of symbologies such as ]Q1 are left out.',
  prefix: 'Other text before each code',
  tryScanner: 'Try it: scan a badge into this field',
  readAs: (code: string) => `Read as ${code}`,
  waiting: (count: number) => (count === 1 ? '1 badge waits' : `${count} badges wait`),
  queueFull: (code: string) => `Too many badges wait. Scan ${code} again.`,
  check: 'Check in',
  checking: 'Checking …',
  startCamera: 'Use the camera',
  stopCamera: 'Stop the camera',
  picture: 'Picture of the camera',
  camera: {
    denied: 'The browser may not use the camera. Allow it in the settings of the page.',
    missing: 'This device has no camera, or another program uses it.',
    insecure: 'The camera needs HTTPS.',
    reader: 'The reader of codes cannot be loaded. Check the connection and try again.',
  },
  insecure: 'The scanner needs HTTPS. Open it with an address that begins with https://.',
  connection: {
    online: 'Online',
    no_network: 'Offline: no network.',
    no_response: 'Offline: the platform does not respond.',
    failing: 'Offline: the platform has a problem.',
  },
  noRoster: 'Badges cannot be checked.',
  roster: (time: string) => `This device decides with the list of ${time}.`,
  ready: (time: string) => `Ready for offline · list of ${time}`,
  queue: (count: number) => (count === 0 ? 'All scans are sent' : `${scans(count)} not sent yet`),
  noList: 'No list yet',
  version: (version: string) => `Version ${version}`,
  unsent: (count: number) => `${scans(count)} not sent yet`,
  notAccepted: (count: number, cause: string) =>
    `${scans(count)} not accepted by the platform: ${cause}. Ask the operator; the device keeps them.`,
  unsentOfDoors: (doors: string[]) =>
    `Pair this device with ${doors.join(', ')} again to send the scans of ${doors.length === 1 ? 'that door' : 'those doors'}.`,
  contested: (count: number) =>
    count === 1
      ? '1 badge was let in by another device, too'
      : `${count} badges were let in by other devices, too`,
  unrecorded: (count: number) =>
    `${count === 1 ? '1 person' : `${count} people`} whom this device let in could not be recorded. Tell the operator.`,
  scanIssues: {
    MALFORMED_SCAN: 'the platform could not read the scan',
    SCAN_ID_REUSED: 'another scan has the same number',
    UNKNOWN_DOOR: 'the platform does not know the door',
    UNKNOWN_BADGE: 'the platform does not know the badge',
    NOT_SAME_PERSON: 'the badge is that of another person',
  },
  noted: 'Noted',
  byDevice: 'Decided by this device, without the platform',
  findPerson: 'Find by name',
  nameOfPerson: 'Name',
  noMatch: 'No person has this name.',
  checkedIn: (door: number, all: number) => `${door} at this door · ${all} in total`,
  next: 'Next badge',
  notices: {
    EVENT_NOT_PUBLISHED: 'Note: the event is not published.',
    OUTSIDE_EVENT_DAYS: 'Note: this is not a day of the event.',
  },
  statuses: {
    confirmed: 'confirmed',
    pending: 'pending',
    waitlisted: 'waitlisted',
    cancelled: 'cancelled',
    rejected: 'rejected',
  },
};

const sentences: Record<string, string> = {
  pending: 'The registration waits for an approval.',
  waitlisted: 'The registration is on the waitlist.',
  cancelled: 'The registration was cancelled.',
  rejected: 'The registration was rejected.',
};

/** How instants are written: only the time, or also the weekday. */
export interface TimeFormats {
  time: (instant: string) => string;
  dayTime: (instant: string) => string;
}

/** When the badge was checked in, or only that it was. */
const letIn = (badge: string, checkedInAt: string | null, { time }: TimeFormats): string =>
  `${badge} was let in ${checkedInAt === null ? 'before' : `at ${time(checkedInAt)}`}.`;

/** The large word of a verdict, and what to say to the guest. */
export function describe(verdict: Decided, formats: TimeFormats) {
  switch (verdict.kind) {
    case 'admitted':
      return { title: 'Welcome', hint: '' };
    case 'already':
      return {
        title: 'Already inside',
        hint: letIn(
          verdict.badgeReplaced ? 'The former badge of this ticket' : 'This badge',
          verdict.checkedInAt,
          formats,
        ),
      };
    case 'event_cancelled':
      return {
        title: 'Event cancelled',
        hint: 'The event does not take place. Nobody is let in.',
      };
    case 'not_confirmed':
      return {
        title: 'No entry',
        hint: sentences[verdict.registrationStatus] ?? 'The registration is not confirmed.',
      };
    case 'gate_closed':
      return {
        title: 'Not this door',
        hint: verdict.perks.length
          ? `This door needs: ${verdict.perks.join(' or ')}.`
          : 'The ticket does not open this door.',
      };
    case 'former_inside':
      return {
        title: 'No entry',
        hint: letIn('The former badge of this ticket', verdict.checkedInAt, formats),
      };
    case 'admission_closed': {
      const { admissionOpensAt: from, admissionClosesAt: until } = verdict;
      const times = [
        ...(from === null ? [] : [`from ${formats.dayTime(from)}`]),
        ...(until === null ? [] : [`until ${formats.dayTime(until)}`]),
      ];
      return { title: 'Not at this time', hint: `Admission is ${times.join(' ')}.` };
    }
    case 'replaced':
      return { title: 'Old badge', hint: 'There is a newer badge for this person. Ask for it.' };
    case 'unknown_badge':
      return {
        title: 'Unknown badge',
        hint:
          verdict.by === 'device'
            ? 'The list of this device does not have it. It may be a new registration.'
            : 'This code belongs to nobody at this event.',
      };
    case 'door_gone':
      return { title: 'No such door', hint: 'This door was removed. Choose another one.' };
    case 'refused':
      return { title: 'No entry', hint: verdict.message };
    case 'ended':
      return { title: 'Pair again', hint: text.ended };
    case 'undecided':
      return { title: 'Not checked', hint: 'No response. Scan the badge again.' };
  }
}
