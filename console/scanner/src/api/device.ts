import type { Device as DeviceSchema } from '@event-api/contracts/http/devices';
import type { z } from 'zod';
import { forget, ownName, readStored, store } from '../store/own-names.ts';

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
  const stored = readStored(installationKey);
  if (stored !== null) return stored;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const created = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  store(installationKey, created);
  return created;
}

export function readPairing(): Pairing | null {
  const stored = readStored(pairingKey);
  return stored === null ? null : (JSON.parse(stored) as Pairing);
}

export const storePairing = (pairing: Pairing): void => store(pairingKey, JSON.stringify(pairing));

/**
 * Forgets the pairing with this token. The installation stays the same one. Returns false for a
 * former token: another page of this browser has paired the device again.
 */
export function forgetPairing(token: string): boolean {
  if (readPairing()?.token !== token) return false;
  forget(pairingKey);
  forget(doorKey);
  return true;
}

/**
 * Calls `onChange` when another page of this browser has paired or unpaired the device, until the
 * returned function is called.
 */
export function watchPairing(onChange: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === ownName(pairingKey) || key === null) onChange();
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

export const keyOf = ({ subjectType, subjectId }: Omit<Door, 'name'>): string =>
  `${subjectType} ${subjectId}`;

/** The door that was chosen last; the only one of a device needs no choice. */
export function chosenDoor({ doors }: Device): Door | null {
  const [only] = doors;
  if (doors.length === 1 && only) return only;
  return doors.find((door) => keyOf(door) === readStored(doorKey)) ?? null;
}

/** The door of a page whose pairing has changed: the same one, if the device still has it. */
export const doorAfter = (device: Device, door: Door | null): Door | null =>
  device.doors.find((each) => door && keyOf(each) === keyOf(door)) ??
  (door || device.doors.length === 1 ? chosenDoor(device) : null);

export const storeDoor = (door: Door): void => store(doorKey, keyOf(door));
