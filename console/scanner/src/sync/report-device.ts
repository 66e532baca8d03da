import { send } from '../api/client.ts';
import { now } from '../api/clock.ts';
import type { Pairing } from '../api/device.ts';
import { unsentCount } from '../store/scans.ts';
import { rosterReadAt } from './sync-roster.ts';

/**
 * Reports the state of the device, which operators see in their list. No scan depends on it, so a
 * failure is ignored: the next report has a newer state.
 */
export async function reportDevice({ token, device }: Pairing): Promise<void> {
  const readAt = rosterReadAt.get();
  // A clock that was set back makes no roster of the future.
  const rosterAgeMs = readAt === null ? null : Math.max(0, Math.round(now().wallMs - readAt));
  await send({
    method: 'PUT',
    path: `/v1/events/${encodeURIComponent(device.event.id)}/checkins/device`,
    bearer: token,
    body: { unsentScans: unsentCount.get(), ...(rosterAgeMs !== null && { rosterAgeMs }) },
  });
}
