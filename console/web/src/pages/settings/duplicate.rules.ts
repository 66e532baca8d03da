import type { Write } from '../../api/actions.ts';
import type {
  Addon,
  Bundle,
  DoorRules,
  Event,
  EventLimits,
  Form,
  Perk,
  RefundPolicy,
  Session,
  TicketType,
  Venue,
} from '../../api/records.ts';
import { fromWallClock, toWallClock } from '../../format/time.ts';

/** What is read of an event to copy it. */
export interface CopySource {
  event: Event;
  limits: EventLimits;
  doorRules: DoorRules;
  questions: Form['questions'];
  /** Null without one, and if the operator may not set it. */
  policy: RefundPolicy;
  ticketTypes: readonly TicketType[];
  addons: readonly Addon[];
  bundles: readonly Bundle[];
  perks: readonly Perk[];
  venues: readonly Venue[];
  sessions: readonly Session[];
}

/** The ids of the copies by those of their originals. */
export type CopiedIds = ReadonlyMap<string, string>;

/** A write of the copy. It names records by the ids that earlier steps have got. */
export interface CopyStep {
  write: (ids: CopiedIds) => Write;
  /** The ids of the copies that the write creates, by those of their originals. */
  copies: (response: Copied) => CopiedIds;
}

/** What a response says about copies. */
export type Copied = Pick<Event, 'id' | 'capacityGroups'>;

const noCopies = (): CopiedIds => new Map();

const copyOf =
  (original: string) =>
  ({ id }: Copied): CopiedIds =>
    new Map([[original, id]]);

const minuteMs = 60_000;
const yearOfWeeks = 52 * 7 * 24 * 60;

const wallMinutes = (instant: string, zone: string): number =>
  Date.parse(`${toWallClock(instant, zone)}Z`) / minuteMs;

/** An instant that is later by minutes of the clock on the wall, across changes of the clocks. */
export function laterBy(instant: string, minutes: number, zone: string): string {
  const wall = new Date((wallMinutes(instant, zone) + minutes) * minuteMs).toISOString();
  return fromWallClock(wall.slice(0, 16), zone) ?? instant;
}

/** The suggested start of a copy: the same weekday and time, a year later, in the future. */
export function suggestedStart(startsAt: string, zone: string, now: Date): string {
  let start = startsAt;
  do start = laterBy(start, yearOfWeeks, zone);
  while (Date.parse(start) <= now.getTime());
  return start;
}

/** What is not archived can be copied, and of the bundles those whose items can. */
export function copyable(source: CopySource): CopySource {
  const isLive = ({ status }: { status: string }) => status !== 'archived';
  const ticketTypes = source.ticketTypes.filter(isLive);
  const addons = source.addons.filter(isLive);
  const ids = new Set([...ticketTypes, ...addons].map(({ id }) => id));
  const hasItems = ({ items }: Bundle) => items.every(({ itemId }) => ids.has(itemId));
  return {
    ...source,
    ticketTypes,
    addons,
    bundles: source.bundles.filter((bundle) => isLive(bundle) && hasItems(bundle)),
    perks: source.perks.map((perk) => ({
      ...perk,
      bindings: perk.bindings.filter(({ targetId }) => ids.has(targetId)),
    })),
  };
}

/**
 * The writes that copy an event, in their order. All that is sold is a draft in the copy. All dates
 * keep their distance to the start.
 */
export function copySteps(
  source: CopySource,
  { name, startsAt }: { name: string; startsAt: string | null },
): CopyStep[] {
  const { event } = source;
  const zone = event.timezone;
  const minutes =
    event.startsAt && startsAt
      ? wallMinutes(startsAt, zone) - wallMinutes(event.startsAt, zone)
      : 0;
  const moved = (instant: string | null) => instant && laterBy(instant, minutes, zone);
  const create: CopyStep = {
    copies: copyOf(event.id),
    write: () => ({
      method: 'POST',
      path: 'v1/events',
      body: {
        name,
        timezone: zone,
        currency: event.currency,
        startsAt: event.startsAt && startsAt,
        endsAt: moved(event.endsAt),
        admissionOpensAt: moved(event.admissionOpensAt),
        admissionClosesAt: moved(event.admissionClosesAt),
      },
    }),
  };
  const context: Context = {
    moved,
    command: (command, input, original = null) => ({
      copies: original === null ? noCopies : copyOf(original),
      write: (ids) => ({ command, input: { eventId: ids.get(event.id), ...input(ids) } }),
    }),
    create: (folder, original, body) => ({
      copies: copyOf(original),
      write: (ids) => ({
        method: 'POST',
        path: `v1/events/${ids.get(event.id)}/${folder}`,
        body: body(ids),
      }),
    }),
  };
  const copied = copyable(source);
  return [
    create,
    ...capacityGroupSteps(event),
    ...ruleSteps(copied, context),
    ...saleSteps(copied, context),
    ...policySteps(copied, context),
    ...programSteps(copied, context),
  ];
}

interface Context {
  moved: (instant: string | null) => string | null;
  command: (
    command: string,
    input: (ids: CopiedIds) => Record<string, unknown>,
    original?: string | null,
  ) => CopyStep;
  create: (folder: string, original: string, body: (ids: CopiedIds) => unknown) => CopyStep;
}

/** A new event has no shared capacities. Their copies are known by their names. */
function capacityGroupSteps({ id: eventId, capacityGroups }: Event): CopyStep[] {
  if (capacityGroups.length === 0) return [];
  const body = { capacityGroups: capacityGroups.map(({ name, capacity }) => ({ name, capacity })) };
  return [
    {
      write: (ids) => ({ method: 'PATCH', path: `v1/events/${ids.get(eventId)}`, body }),
      copies: (response) =>
        new Map(
          capacityGroups.flatMap(({ id, name }) => {
            const copy = response.capacityGroups.find((group) => group.name === name);
            return copy ? [[id, copy.id] as const] : [];
          }),
        ),
    },
  ];
}

/** Questions are read with `options: null` and sent without. */
const withoutNull = ({ options, ...question }: Form['questions'][number]) =>
  options ? { ...question, options } : question;

function ruleSteps(source: CopySource, { command }: Context): CopyStep[] {
  const { event, limits, doorRules, questions } = source;
  const { eventId: _, ...limited } = limits;
  const hasLimits = Object.values(limited).some((limit) => limit !== null);
  return [
    ...(event.features.length > 0
      ? [command('event.setFeatures', () => ({ features: event.features }))]
      : []),
    ...(hasLimits ? [command('event.setLimits', () => limited)] : []),
    ...(doorRules.refuseIfFormerInside
      ? [command('event.setDoorRules', () => ({ refuseIfFormerInside: true }))]
      : []),
    ...(questions.length > 0
      ? [command('form.set', () => ({ questions: questions.map(withoutNull) }))]
      : []),
  ];
}

/** After the ticket types, which the bands of the policy name. */
const policySteps = (
  { policy, ticketTypes }: CopySource,
  { command, moved }: Context,
): CopyStep[] => {
  if (!policy) return [];
  const copied = new Set(ticketTypes.map(({ id }) => id));
  // A band that is for types that are not copied would be for all.
  const bands = policy.bands.filter(
    ({ ticketTypeIds }) => ticketTypeIds.length === 0 || ticketTypeIds.some((id) => copied.has(id)),
  );
  return [
    command('refundPolicy.set', (ids) => ({
      text: policy.text,
      refundableUntil: moved(policy.refundableUntil),
      automatic: policy.automatic,
      bands: bands.map((band) => ({
        ...band,
        until: moved(band.until),
        ticketTypeIds: band.ticketTypeIds.flatMap((id) => ids.get(id) ?? []),
      })),
    })),
  ];
};

function saleSteps(source: CopySource, { command, create, moved }: Context): CopyStep[] {
  const { ticketTypes, addons, bundles, perks } = source;
  return [
    ...ticketTypes.map(({ id, ...type }) =>
      create('ticket-types', id, (ids) => ({
        name: type.name,
        description: type.description,
        capacity: type.capacity,
        capacityGroupId: type.capacityGroupId && (ids.get(type.capacityGroupId) ?? null),
        priceAmount: type.priceAmount,
        taxRateId: type.taxRateId,
        minPerOrder: type.minPerOrder,
        maxPerOrder: type.maxPerOrder,
        allowWaitlist: type.allowWaitlist,
        isPublic: type.isPublic,
        requiresApproval: type.requiresApproval,
        opensAt: moved(type.opensAt),
        closesAt: moved(type.closesAt),
        admissionOpensAt: moved(type.admissionOpensAt),
        admissionClosesAt: moved(type.admissionClosesAt),
        sortOrder: type.sortOrder,
      })),
    ),
    ...addons.map(({ id, name, description, priceAmount, sortOrder, ...addon }) =>
      create('addons', id, () => ({
        ...{ name, description, priceAmount, sortOrder },
        taxRateId: addon.taxRateId,
        capacity: addon.capacity,
        opensAt: moved(addon.opensAt),
        closesAt: moved(addon.closesAt),
        minPerOrder: addon.minPerOrder,
        maxPerOrder: addon.maxPerOrder,
      })),
    ),
    ...bundles.map(({ id, name, description, priceAmount, taxRateId, sortOrder, items }) =>
      create('bundles', id, (ids) => ({
        ...{ name, description, priceAmount, taxRateId, sortOrder },
        items: items.map((item) => ({ ...item, itemId: ids.get(item.itemId) })),
      })),
    ),
    ...perks.map(({ id, name, description }) =>
      command('perk.create', () => ({ name, description }), id),
    ),
    ...perks.flatMap(({ id, bindings }) =>
      bindings.map(({ targetType, targetId }) =>
        command('perk.bind', (ids) => ({
          perkId: ids.get(id),
          targetType,
          targetId: ids.get(targetId),
        })),
      ),
    ),
  ];
}

function programSteps({ venues, sessions }: CopySource, { command, moved }: Context): CopyStep[] {
  const perksOf = (perkIds: readonly string[], ids: CopiedIds) => perkIds.map((id) => ids.get(id));
  return [
    ...venues.map(({ id, name, description, perkIds }) =>
      command('venue.create', (ids) => ({ name, description, perkIds: perksOf(perkIds, ids) }), id),
    ),
    ...sessions.map(({ id, title, description, startsAt, endsAt, venueId, perkIds }) =>
      command(
        'session.create',
        (ids) => ({
          ...{ title, description, startsAt: moved(startsAt), endsAt: moved(endsAt) },
          venueId: venueId && (ids.get(venueId) ?? null),
          perkIds: perksOf(perkIds, ids),
        }),
        id,
      ),
    ),
  ];
}
