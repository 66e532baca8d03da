import type { Verdict } from '../scan/verdict.ts';

/** All texts, so that a language can be added. */
export const text = {
  title: 'Scanner',
  pair: 'Pair this device',
  pairText:
    'Open the page Doors in the console, choose “Pair a device”, and scan its code with the camera of this device. Or enter the code here.',
  code: 'Pairing code',
  pairButton: 'Pair',
  pairing: 'Pairing …',
  rejected: 'This code is not valid any more. Create a new one in the console.',
  noCode: 'A pairing code begins with pc_live_ and has 40 characters.',
  unreachable: 'The platform does not respond. Check the connection and try again.',
  ended: 'This device was revoked, or its time is over. Pair it again.',
  chooseDoor: 'Which door is this?',
  eventDoor: 'Event entrance',
  goneDoor: 'A door that does not exist any more',
  changeDoor: 'Change the door',
  unpair: 'Unpair',
  unpairQuestion: 'Unpair this device? It needs a new code afterwards.',
  until: (time: string) => `Until ${time}`,
  manual: 'Badge code',
  manualHelp: 'A hardware scanner types here by itself.',
  check: 'Check in',
  checking: 'Checking …',
  startCamera: 'Use the camera',
  stopCamera: 'Stop the camera',
  picture: 'Picture of the camera',
  camera: {
    denied: 'The browser may not use the camera. Allow it in the settings of the page.',
    missing: 'This device has no camera, or another program uses it.',
    insecure: 'The camera needs HTTPS. A hardware scanner and the field below work without.',
  },
  online: 'Online',
  offline: 'No connection: badges cannot be checked',
  checkedIn: (door: number, all: number) => `${door} at this door · ${all} in total`,
  next: 'Next badge',
  phone: 'Scanner for the doors of an event',
};

const statuses: Record<string, string> = {
  pending: 'The registration waits for an approval.',
  waitlisted: 'The registration is on the waitlist.',
  cancelled: 'The registration was cancelled.',
  rejected: 'The registration was rejected.',
};

/** The large word of a verdict, and what to say to the guest. */
export function describe(verdict: Verdict, formatTime: (instant: string) => string) {
  switch (verdict.kind) {
    case 'admitted':
      return { title: 'Welcome', hint: '' };
    case 'already':
      return {
        title: 'Already inside',
        hint: `This badge was checked in at ${formatTime(verdict.checkedInAt)}.`,
      };
    case 'not_confirmed':
      return {
        title: 'No entry',
        hint: statuses[verdict.registrationStatus] ?? 'The registration is not confirmed.',
      };
    case 'gate_closed':
      return {
        title: 'Not this door',
        hint: verdict.perks.length
          ? `This door needs: ${verdict.perks.join(' or ')}.`
          : 'The ticket does not open this door.',
      };
    case 'replaced':
      return { title: 'Old badge', hint: 'There is a newer badge for this person. Ask for it.' };
    case 'unknown_badge':
      return { title: 'Unknown badge', hint: 'This code belongs to nobody at this event.' };
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
