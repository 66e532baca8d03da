import type { Actor } from '@event-api/contracts/actor';
import { getCheckinSummary, NamedDoor } from '@event-api/contracts/http/checkins';
import { Event, getEvent } from '@event-api/contracts/http/events';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Operation } from '@event-api/contracts/operation';
import { notFound, unavailable } from '@event-api/platform/core/errors';
import type { CallerSigner } from '@event-api/platform/http/caller-tokens';
import { createServicePath } from '@event-api/platform/http/service-path';
import { tracedRequest } from '@event-api/platform/http/traced-request';
import { z } from 'zod';
import { timeouts } from '../timeouts.ts';
import type { NamedDoor as DeviceDoor } from './devices.rules.ts';

/** Reads what a device shows of its event from the services that own it. */
export interface EventSource {
  /** Errors: 404 for an event that the business unit does not have; 503. */
  readEvent(scope: EventScope, actor: Actor): Promise<z.output<typeof EventPart>>;
  /** The doors of the event, and former ones with check-ins. Errors: 404 as above; 503. */
  readDoors(scope: EventScope, actor: Actor): Promise<{ doors: readonly DeviceDoor[] }>;
}

// Only what is used is parsed: another release may send fewer or more fields.
const EventPart = Event.pick({ id: true, name: true, timezone: true, endsAt: true }).partial({
  endsAt: true,
});
const DoorsPart = z.object({ doors: z.array(NamedDoor) });

/**
 * Creates a source that uses the operations of the API, which every release of the services has.
 * Its tokens permit nothing but these two reads of one event.
 */
export function createEventSource({
  upstreams,
  signer,
}: {
  upstreams: { catalog: string; onsite: string };
  signer: CallerSigner;
}): EventSource {
  async function read<Schema extends z.ZodType>(
    { url, method, config }: Operation,
    base: string,
    schema: Schema,
    { businessUnitId, eventId }: EventScope,
    actor: Actor,
  ): Promise<z.output<Schema>> {
    const permissions = ['catalog.read', 'summary.read'];
    const caller = { audience: 'api', businessUnitId, permissions, events: [eventId] } as const;
    const { statusCode, body } = await tracedRequest(
      new URL(createServicePath(url)({ eventId }), base),
      {
        target: { owner: config.owner, template: url },
        method: method as 'GET',
        headers: { 'x-caller': await signer.sign({ ...caller, actor }) },
        timeoutMs: timeouts.deviceEventMs,
      },
    ).catch((error: unknown) => {
      throw unavailable(error);
    });
    if (statusCode === 404) throw notFound('event');
    if (statusCode !== 200)
      throw unavailable(new Error(`${config.operationId} responded with ${statusCode}`));
    try {
      return schema.parse(JSON.parse(body.toString()));
    } catch (error) {
      throw unavailable(error);
    }
  }

  return {
    readEvent: (scope, actor) => read(getEvent, upstreams.catalog, EventPart, scope, actor),
    readDoors: (scope, actor) => read(getCheckinSummary, upstreams.onsite, DoorsPart, scope, actor),
  };
}
