import type { Operation } from '@event-api/contracts/operation';
import type { Permission } from '@event-api/contracts/permissions';

/** A caller as far as its permissions go; the claims of its token. */
export interface PermittedCaller {
  /** The process that vouches for the caller. */
  issuer: string;
  /** The business unit of the caller; empty without one. */
  businessUnitId: string;
  /**
   * Null if the token names none: the caller of an unrestricted key, or of a release without
   * permissions.
   */
  permissions: readonly string[] | null;
  /** The only events of the caller; null for all events of its unit. */
  events: readonly string[] | null;
  /**
   * The only doors at which the caller checks people in: ids of the event, sessions and venues.
   * Null for all.
   */
  doors: readonly string[] | null;
}

export type CallDecision =
  | { outcome: 'allowed' }
  /**
   * 403. It depends on the operation and the body, never on a record. `missing` are the permissions
   * of which one would be enough, if that is the reason.
   */
  | { outcome: 'permission_denied'; missing?: readonly Permission[] }
  /** 404, as for a missing event. */
  | { outcome: 'event_not_visible' }
  /** 404, as for a missing business unit. */
  | { outcome: 'unit_mismatch' }
  /** 404, as for a missing door. */
  | { outcome: 'door_not_visible' };

type CalledOperation = Pick<Operation, 'url'> & {
  config: Pick<
    Operation['config'],
    'audience' | 'permission' | 'platformFields' | 'readsOwnEvents'
  >;
};

const allowed: CallDecision = { outcome: 'allowed' };
const denied: CallDecision = { outcome: 'permission_denied' };

/**
 * Decides whether a caller may call an operation. Without `body` it decides what holds for every
 * body: call it again with the validated one. Operations between processes require no permission.
 */
export function mayCall(
  caller: PermittedCaller,
  operation: CalledOperation,
  params: Readonly<Record<string, string>>,
  body?: unknown,
): CallDecision {
  const { audience } = operation.config;
  if (isUnrestricted(caller) || audience === 'service' || audience === 'notification') {
    return allowed;
  }
  const required = permissionsFor(operation);
  if (!holdsAny(caller, required)) return { outcome: 'permission_denied', missing: required };
  const scope = decideEvent(caller, operation, params);
  if (scope.outcome !== 'allowed' || body === undefined) return scope;
  if (audience === 'operator') return decideUnit(caller, operation, fieldsOf(body));
  return decideDoors(caller, params, fieldsOf(body));
}

/**
 * Whether nothing limits a caller: an unrestricted key, and the command line, whose token names
 * only `platform`. A token of the console without permissions may do nothing.
 */
function isUnrestricted({ issuer, permissions, events, doors }: PermittedCaller): boolean {
  if (issuer === 'admin') return permissions === null || permissions.includes('platform');
  return permissions === null && events === null && doors === null && issuer !== 'console';
}

function permissionsFor({ config: { permission } }: CalledOperation): readonly Permission[] {
  if (permission === undefined) return [];
  return typeof permission === 'string' ? [permission] : permission;
}

function holdsAny({ issuer, permissions }: PermittedCaller, any: readonly Permission[]): boolean {
  if (permissions === null) return issuer !== 'console';
  return any.some((permission) => permissions.includes(permission));
}

/** A caller with events reaches only their paths, and the lists that contain only them. */
function decideEvent(
  { events }: PermittedCaller,
  { config }: CalledOperation,
  { eventId }: Readonly<Record<string, string>>,
): CallDecision {
  if (events === null) return allowed;
  if (eventId === undefined) return config.readsOwnEvents ? allowed : denied;
  return events.includes(eventId) ? allowed : { outcome: 'event_not_visible' };
}

/** An operator command works on the unit of the caller. Without a unit it works on the platform. */
function decideUnit(
  caller: PermittedCaller,
  operation: CalledOperation,
  body: Record<string, unknown>,
): CallDecision {
  const { businessUnitId } = body;
  const hasUnit = businessUnitId !== undefined;
  if (hasUnit && businessUnitId !== caller.businessUnitId) return { outcome: 'unit_mismatch' };
  const words = permissionsFor(operation);
  const needsPlatform =
    !hasUnit || operation.config.platformFields?.some((field) => body[field] !== undefined);
  if (needsPlatform && !holdsAny(caller, ['platform'])) return denied;
  if (!hasUnit) return words.includes('platform') ? allowed : denied;
  // An administrator of the platform gets no data of a unit by a command that its members have,
  // too.
  const ofMembers = words.filter((word) => word !== 'platform');
  return ofMembers.length === 0 || holdsAny(caller, ofMembers) ? allowed : denied;
}

/**
 * A check-in of a caller with doors is at one of them. The door of the event is the event itself.
 */
function decideDoors(
  { doors }: PermittedCaller,
  { eventId }: Readonly<Record<string, string>>,
  { subjectType, subjectId }: Record<string, unknown>,
): CallDecision {
  if (doors === null || subjectType === undefined) return allowed;
  const door = subjectType === 'event' ? (subjectId ?? eventId) : subjectId;
  return doors.some((one) => one === door) ? allowed : { outcome: 'door_not_visible' };
}

const fieldsOf = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
