import type { BadgeHolder, Checkin } from '@event-api/contracts/http/checkins';
import { type Badge, isFormerBadge } from '@event-api/rules/checkin-decision';
import type { z } from 'zod';
import type { CheckinRow } from './checkins.queries.ts';
import { codeHashOf } from './code-hash.ts';

/**
 * The response body of a check-in. `badge` is the badge of the registration that a decision rests
 * on; it may be newer than what is projected.
 */
export const checkinView = (
  row: CheckinRow,
  badge: Pick<Badge, 'replacedCodeHashes'> = {
    replacedCodeHashes: row.replacedCheckinCodes.map(codeHashOf),
  },
): z.input<typeof Checkin> => ({
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
  badgeReplaced: isFormerBadge(badge, row.codeHash),
  undoneAt: row.undoneAt?.toISOString() ?? null,
});

/** The registration of a badge, without the badge code. */
export const badgeHolderView = ({
  id,
  name,
  registrationTypeId,
  status,
}: Badge): z.input<typeof BadgeHolder> => ({ id, name, registrationTypeId, status });
