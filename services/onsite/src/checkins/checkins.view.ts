import type { BadgeHolder, Checkin } from '@event-api/contracts/http/checkins';
import type { Badge } from '@event-api/rules/checkin-decision';
import type { z } from 'zod';
import type { CheckinRow } from './checkins.queries.ts';

/** The response body of a check-in. */
export const checkinView = (row: CheckinRow): z.input<typeof Checkin> => ({
  id: row.id,
  eventId: row.eventId,
  registrationId: row.registrationId,
  subjectType: row.subjectType,
  subjectId: row.subjectId,
  method: row.method,
  deviceId: row.deviceId,
  overruled: row.overruled,
  checkedInAt: row.checkedInAt.toISOString(),
  scannedAt: row.scannedAt?.toISOString() ?? null,
  undoneAt: row.undoneAt?.toISOString() ?? null,
});

/** The registration of a badge, without the badge code. */
export const badgeHolderView = ({
  id,
  name,
  registrationTypeId,
  status,
}: Badge): z.input<typeof BadgeHolder> => ({ id, name, registrationTypeId, status });
