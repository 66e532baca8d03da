import type { Device as DeviceSchema } from '@event-api/contracts/http/devices';
import type { z } from 'zod';

/** The device as the platform describes it. */
export type Device = z.output<typeof DeviceSchema>;
export type Door = Device['doors'][number];

/** The token of a paired device, with what it is for. */
export interface Pairing {
  token: string;
  device: Device;
}

const installationKey = 'installation';
const pairingKey = 'pairing';
const doorKey = 'door';

/** The random id by which the platform recognizes this browser when it is paired again. */
export function installationId(): string {
  const stored = localStorage.getItem(installationKey);
  if (stored !== null) return stored;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const created = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  localStorage.setItem(installationKey, created);
  return created;
}

export function readPairing(): Pairing | null {
  const stored = localStorage.getItem(pairingKey);
  return stored === null ? null : (JSON.parse(stored) as Pairing);
}

export const storePairing = (pairing: Pairing): void =>
  localStorage.setItem(pairingKey, JSON.stringify(pairing));

/** Forgets the token. The installation stays the same one. */
export function forgetPairing(): void {
  localStorage.removeItem(pairingKey);
  localStorage.removeItem(doorKey);
}

export const keyOf = ({ subjectType, subjectId }: Omit<Door, 'name'>): string =>
  `${subjectType} ${subjectId}`;

/** The door that was chosen last; the only one of a device needs no choice. */
export function chosenDoor({ doors }: Device): Door | null {
  const [only] = doors;
  if (doors.length === 1 && only) return only;
  return doors.find((door) => keyOf(door) === localStorage.getItem(doorKey)) ?? null;
}

export const storeDoor = (door: Door): void => localStorage.setItem(doorKey, keyOf(door));
