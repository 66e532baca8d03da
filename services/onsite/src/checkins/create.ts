import type { CheckinNotice, CreateCheckin } from '@event-api/contracts/http/checkins';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { currentAudited } from '@event-api/platform/audit/audited-request';
import { currentActor } from '@event-api/platform/core/actor';
import { referenceNotFound } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import type { Database } from '@event-api/platform/db/database';
import { newChangeId } from '@event-api/platform/messaging/changes/write';
import { type Badge, type CheckinDecision, decideRepeat } from '@event-api/rules/checkin-decision';
import type { z } from 'zod';
import {
  admissionClosed,
  badgeMismatch,
  badgeReplaced,
  eventCancelled,
  formerBadgeInside,
  gateClosed,
  notConfirmed,
} from '../errors.ts';
import { namePerks } from '../projections/projections.queries.ts';
import type { CheckinQueues, CheckinResult } from './batch.ts';
import { shownCodeHash } from './code-hash.ts';
import { type DecideDeps, decideAtDoor } from './decide.ts';
import { sourceOf } from './source.ts';
import { type ProjectionTrust, restsOnUnconfirmed } from './trust.rules.ts';

export interface CheckinDeps extends Omit<DecideDeps, 'fallbacks'> {
  db: Database;
  queues: CheckinQueues;
}

type Input = z.output<typeof CreateCheckin>;

/**
 * Checks a registration in at a door, once. Returns the badge that was decided on. A check-in that
 * rests on projections which are not confirmed is flagged.
 *
 * Errors: 404 for an unknown door, registration or badge; 400 for an id and a badge code of
 * different registrations; 412 `BADGE_REPLACED`, `EVENT_CANCELLED`, `NOT_CONFIRMED`, `GATE_CLOSED`,
 * then `ADMISSION_CLOSED`, also for a registration that has passed before; 412 `FORMER_BADGE_INSIDE`;
 * 503. Reports: `checkin.created`. Source:
 * docs/algorithms/check-in.md.
 */
export async function createCheckin(
  deps: CheckinDeps & DecideDeps,
  scope: EventScope,
  input: Input,
  { trust, at }: { trust: ProjectionTrust; at: Date },
): Promise<CheckinResult & { badge: Badge; notice: CheckinNotice | null }> {
  const { subjectType, subjectId = scope.eventId, method } = input;
  const door = { ...input, subjectId };
  const { decision, decidedBy, event } = await decideAtDoor(deps, scope, door, { trust, at });
  const { badge, notice } = await requireAdmitted(deps.db, scope, decision, input);
  const actor = currentActor();
  const values = {
    id: newId('chk'),
    registrationId: badge.id,
    subjectType,
    subjectId,
    method,
    isUnconfirmed: restsOnUnconfirmed(trust, decidedBy),
    source: sourceOf({ actor }),
    codeHash: shownCodeHash(input, badge),
    change: { id: newChangeId(), actor },
    audited: currentAudited(),
  };
  const written = await deps.queues.write({ ...scope, ...values });
  // A check-in that an earlier attempt of this request has written does not count as an earlier
  // scan.
  const alreadyCheckedIn = written.alreadyCheckedIn && written.checkin.id !== values.id;
  if (alreadyCheckedIn && decideRepeat(badge, written.checkin, event).outcome !== 'already') {
    throw formerBadgeInside(written.checkin.checkedInAt);
  }
  return { ...written, alreadyCheckedIn, badge, notice };
}

async function requireAdmitted(
  db: Database,
  scope: EventScope,
  decision: CheckinDecision,
  { registrationId }: Input,
): Promise<Extract<CheckinDecision, { outcome: 'admitted' }>> {
  switch (decision.outcome) {
    case 'admitted':
      return decision;
    case 'unknown_door':
      throw referenceNotFound('subjectId');
    case 'unknown_badge':
      throw referenceNotFound(registrationId === undefined ? 'checkinCode' : 'registrationId');
    case 'badge_replaced':
      throw badgeReplaced();
    case 'badge_mismatch':
      throw badgeMismatch();
    case 'event_cancelled':
      throw eventCancelled();
    case 'not_confirmed':
      throw notConfirmed(decision.registrationStatus);
    case 'gate_closed':
      throw gateClosed(await namePerks(db, scope, decision.perkIds));
    case 'admission_closed':
      throw admissionClosed(decision);
  }
}
