import type { EventScope } from '@event-api/contracts/internal/scope';
import type {
  CheckinExplanation,
  explainCheckin as explainCheckinOperation,
} from '@event-api/contracts/operator/checkins';
import { systemClock } from '@event-api/platform/core/clock';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { decideRepeat, type EvaluatedRule } from '@event-api/rules/checkin-decision';
import type { z } from 'zod';
import {
  findPerkSources,
  type NamedPerk,
  namePerks,
  type PerkDelivery,
} from '../projections/projections.queries.ts';
import { findExistingCheckins } from './checkins.queries.ts';
import { badgeHolderView, checkinView } from './checkins.view.ts';
import type { CheckinDeps } from './create.ts';
import { decideAtDoor } from './decide.ts';
import { requireEventOfDoor } from './require-event.ts';
import type { TrustFacts } from './trust.rules.ts';
import { readTrust } from './trust.ts';

/** An explanation does not count as a decision at a door. */
const fallbacks = { record: () => {} };

/**
 * Decides a check-in as a door would, and returns the decision with every rule that was evaluated.
 * Writes nothing.
 * Errors: 404 for an unknown event; 503.
 */
export async function explainCheckin(
  deps: CheckinDeps & { refresher: ProjectionRefresher },
  body: z.output<typeof explainCheckinOperation.schema.body>,
  readAfter: TrustFacts['readAfter'],
): Promise<CheckinExplanation> {
  const { businessUnitId, eventId, subjectType, subjectId = eventId } = body;
  const scope = { businessUnitId, eventId };
  const event = await requireEventOfDoor(deps.refresher, scope);
  const trust = await readTrust(deps.refresher, { readAfter, event });
  const at = systemClock.now();
  const asked = { ...body, subjectId };
  const decided = await decideAtDoor({ ...deps, fallbacks }, scope, asked, { trust, at });
  const { decision, decidedBy, badge } = decided;
  const sources = badge
    ? (decided.perkSources ?? (await findPerkSources(deps.db, scope, badge.id)))
    : [];
  const door = { ...scope, registrationId: badge?.id ?? '', subjectType, subjectId };
  const [checkin] = badge ? await findExistingCheckins(deps.db, [door]) : [];
  const perks = await namesOf(deps, scope, decision.rules, sources);
  const isAdmitted = decision.outcome === 'admitted';
  const repeat =
    isAdmitted && checkin ? decideRepeat(decision.badge, checkin, decided.event).outcome : null;
  return {
    outcome: repeat === 'former_badge_inside' ? repeat : decision.outcome,
    notice: isAdmitted ? decision.notice : null,
    decidedBy,
    rules: decision.rules.map((evaluated) => ruleView(evaluated, perks)),
    registration: badge && badgeHolderView(badge),
    heldPerks: heldPerks(sources, perks),
    checkin: checkin ? checkinView(checkin, badge ?? undefined) : null,
  };
}

async function namesOf(
  { db }: CheckinDeps,
  scope: EventScope,
  rules: readonly EvaluatedRule[],
  sources: readonly PerkDelivery[],
): Promise<NamedPerk[]> {
  const required = rules.flatMap((evaluated) =>
    evaluated.rule === 'gate' ? evaluated.perkIds : [],
  );
  const held = sources.flatMap(({ perkIds }) => perkIds);
  return namePerks(db, scope, [...new Set([...required, ...held])].sort());
}

function ruleView(
  evaluated: EvaluatedRule,
  perks: readonly NamedPerk[],
): CheckinExplanation['rules'][number] {
  if (evaluated.rule !== 'gate') return evaluated;
  const { perkIds, ...rule } = evaluated;
  return { ...rule, perks: perks.filter(({ id }) => perkIds.includes(id)) };
}

/** Each perk of the registration with every source that delivers it. */
const heldPerks = (
  sources: readonly PerkDelivery[],
  perks: readonly NamedPerk[],
): CheckinExplanation['heldPerks'] =>
  perks.flatMap((perk) => {
    const delivering = sources.filter(({ perkIds }) => perkIds.includes(perk.id));
    if (delivering.length === 0) return [];
    return { ...perk, sources: delivering.map(({ type, id }) => ({ type, id })) };
  });
