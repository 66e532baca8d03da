import type { Caller } from '@event-api/platform/http/caller-tokens';

/** Who reports a scan. Two scans of one source cannot contest each other. */
export interface ScanSource {
  /** The device, otherwise the key or the operator. */
  id: string;
  deviceId: string | null;
}

/** A device keeps its id when its installation is paired again. */
export function sourceOf({ actor }: Pick<Caller, 'actor'>): ScanSource {
  const deviceId = actor.type === 'device' ? actor.id : null;
  return { id: actor.id ?? actor.type, deviceId };
}
