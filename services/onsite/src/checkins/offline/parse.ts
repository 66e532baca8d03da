import { createHash } from 'node:crypto';
import { type createCheckinBatch, Scan } from '@event-api/contracts/http/checkin-batch';
import type { FieldIssue } from '@event-api/contracts/http/envelope';
import { createPartValidator } from '@event-api/platform/http/validation';
import type { z } from 'zod';
import { occurredAtOf } from './clock.ts';
import type { ParsedScan } from './offline.queries.ts';

type Sent = z.output<typeof createCheckinBatch.schema.body>['scans'][number];

export type ScanParse =
  | { outcome: 'valid'; scan: ParsedScan }
  | { outcome: 'malformed'; scanId: string; issues: readonly FieldIssue[] };

const validate = createPartValidator(Scan, 'scan');

/** Validates one scan of a batch on its own, so that a wrong one does not block the others. */
export function parseScan(
  sent: Sent,
  {
    businessUnitId,
    eventId,
    sentAt,
    receivedAt,
  }: {
    businessUnitId: string;
    eventId: string;
    sentAt: Date;
    receivedAt: Date;
  },
): ScanParse {
  const parsed = validate(sent);
  if ('issues' in parsed)
    return { outcome: 'malformed', scanId: sent.scanId, issues: parsed.issues };
  const { subjectId = eventId, scannedAt, rosterCursor = null, ...scan } = parsed.value;
  const occurredAt = occurredAtOf({ scannedAt, sentAt, receivedAt });
  const { registrationId = null, checkinCode = null, subjectType, decision } = scan;
  const named = [registrationId, checkinCode, subjectType, subjectId, decision];
  const identity = createHash('sha256').update(JSON.stringify(named)).digest('base64url');
  return {
    outcome: 'valid',
    scan: {
      ...scan,
      businessUnitId,
      eventId,
      subjectId,
      scannedAt,
      occurredAt,
      rosterCursor,
      identity,
    },
  };
}
