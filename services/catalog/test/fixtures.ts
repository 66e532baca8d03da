import type { Event } from '@event-api/contracts/http/events';
import type { TicketType } from '@event-api/contracts/http/ticket-types';
import type { HttpClient, TestResponse } from '@event-api/platform/testing/http-client';
import { expect } from 'vitest';
import type { z } from 'zod';

export type EventBody = z.infer<typeof Event>;
export type TicketTypeBody = z.infer<typeof TicketType>;

/** Returns the body of a successful response. A failure shows the error. */
export function succeeded<Body>({ status, body }: TestResponse, expected = 200): Body {
  expect({ status, error: body?.error }).toEqual({ status: expected, error: undefined });
  return body;
}

/** Creates an event, by default a draft without dates. */
export async function createTestEvent(call: HttpClient, fields: object = {}): Promise<EventBody> {
  const body = { name: 'Summit', timezone: 'Europe/Berlin', ...fields };
  return succeeded(await call('POST', '/v1/events', { body }), 201);
}

/** Creates an event and brings it to this status. */
export async function createTestEventInStatus(
  call: HttpClient,
  status: EventBody['status'],
  fields: object = {},
): Promise<EventBody> {
  const event = await createTestEvent(call, { startsAt: '2027-05-10T09:00:00+02:00', ...fields });
  if (status === 'draft') return event;
  return succeeded(await call('PATCH', pathOf(event), { body: { status } }));
}

export async function createTestTicketType(
  call: HttpClient,
  event: { id: string },
  fields: object = {},
): Promise<TicketTypeBody> {
  const body = { name: 'Early bird', ...fields };
  return succeeded(await call('POST', `${pathOf(event)}/ticket-types`, { body }), 201);
}

/** A ticket type without registrations after an update of these fields. */
export function updated(ticketType: TicketTypeBody, fields: object): TicketTypeBody {
  const changed: TicketTypeBody = { ...ticketType, ...fields };
  const { capacity } = changed;
  return { ...changed, availability: { ...changed.availability, capacity, remaining: capacity } };
}

const waysTo = { draft: [], open: ['open'], closed: ['open', 'closed'], archived: ['archived'] };

/** Creates a ticket type and brings it to this status by allowed transitions. */
export async function createTestTicketTypeInStatus(
  call: HttpClient,
  event: { id: string },
  status: TicketTypeBody['status'],
): Promise<TicketTypeBody> {
  let ticketType = await createTestTicketType(call, event);
  for (const step of waysTo[status]) {
    ticketType = succeeded(await call('PATCH', pathOf(ticketType), { body: { status: step } }));
  }
  return ticketType;
}

/** Returns the path of a record. */
export const pathOf = ({ id, eventId }: { id: string; eventId?: string }): string =>
  eventId ? `/v1/events/${eventId}/ticket-types/${id}` : `/v1/events/${id}`;
