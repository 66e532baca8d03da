import type { DeviceReport } from '@event-api/contracts/http/devices';
import type { DeviceActivity } from '@event-api/contracts/operator/devices';
import type { z } from 'zod';
import type { DeviceRow, ReportedState } from './devices.queries.ts';

export const reportView = (
  { unsentScans, rosterReadAt }: ReportedState,
  reportedAt: Date,
): z.input<typeof DeviceReport> => ({
  unsentScans,
  rosterReadAt: rosterReadAt?.toISOString() ?? null,
  reportedAt: reportedAt.toISOString(),
});

/** A device as operators read it. */
export const activityView = ({
  id,
  lastSeenAt,
  unsentScans,
  rosterReadAt,
  reportedAt,
}: DeviceRow): z.input<typeof DeviceActivity> => ({
  id,
  lastSeenAt: lastSeenAt.toISOString(),
  report:
    reportedAt === null || unsentScans === null
      ? null
      : reportView({ unsentScans, rosterReadAt }, reportedAt),
});
