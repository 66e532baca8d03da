import type { EventScope } from '@event-api/contracts/internal/scope';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { createTestEvent, createTestTicketType, type TypeFields } from './fixtures.ts';
import { type RegistrationOptions, startRegistration, type TestRegistration } from './harness.ts';
import { violatedInvariants } from './invariants.ts';

/** The service of the test file. */
export let service: TestRegistration;
/** A client of its internal listener for another service. */
export let inside: HttpClient;
/** A client of its internal listener for operators. */
export let operator: HttpClient;

/** The event of the current test. */
export let scope: EventScope;
/** A ticket type of this event. */
export let typeId: string;
/** Clients of the API for the business unit of this event, of the first and the second replica. */
export let calls: [HttpClient, HttpClient];
export let call: HttpClient;
export let eventPath: string;

/** The event of the current test, as `orders` needs it. */
export const currentEvent = () => ({ service, inside, call, scope, typeId });

/**
 * Starts the service for the tests of a file and creates an event with a ticket type for each of
 * them. Checks the invariants after the last one. The variables of this module are set before the
 * first test.
 */
export function useRegistration({
  ticketType = {},
  ...options
}: RegistrationOptions & { ticketType?: TypeFields } = {}): void {
  beforeAll(async () => {
    service = await startRegistration(options);
    inside = await service.service();
    operator = await service.operator();
  });
  afterAll(async () => {
    if (!service) return;
    expect(await violatedInvariants(service.sql)).toEqual({});
    await service.close();
  });
  beforeEach(async () => {
    service.owner.isUnavailable = false;
    scope = await createTestEvent(service.sql);
    typeId = await createTestTicketType(service.sql, scope, ticketType);
    const { businessUnitId, eventId } = scope;
    calls = [await service.as(businessUnitId, 0), await service.as(businessUnitId, 1)];
    [call] = calls;
    eventPath = `/v1/events/${eventId}`;
  });
}
