import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { httpClient } from '@event-api/platform/testing/http-client';
import { createApiClient } from '@event-api/tools/seed/api-client';
import type { DrillEnvironment } from '../environment/environment.ts';

/** Time limit for recovery after a fault has ended. */
const WITHIN_MS = 30_000;
/** Age from which an unpublished message is overdue. */
const OVERDUE_MS = 2000;

/**
 * Creates an event that the returned function uses to test each service. The function waits until
 * all services respond successfully twice in a row and no message is overdue. It returns null, or
 * what is missing after thirty seconds.
 */
export async function openCanary(
  environment: DrillEnvironment,
): Promise<() => Promise<string | null>> {
  const { key } = await environment.newUnit('EUR');
  const { secret } = key;
  const setup = createApiClient(environment.gatewayUrl, secret);
  const event = await setup.request<{ id: string }>('POST', '/v1/events', {
    name: 'Canary',
    timezone: 'UTC',
    startsAt: '2030-05-01T09:00:00Z',
  });
  const path = `/v1/events/${event.id}`;
  await setup.request('PATCH', path, { status: 'published' });
  const { id } = await setup.request<{ id: string }>('POST', `${path}/ticket-types`, {
    name: 'Any',
  });
  await setup.request('PATCH', `${path}/ticket-types/${id}`, { status: 'open' });
  const email = 'canary@example.com';
  const created = await setup.request<{ registration: { checkinCode: string } }>(
    'POST',
    `${path}/registrations`,
    { email, registrationTypeId: id },
  );
  const { checkinCode } = created.registration;
  const newEmail = () => `${randomUUID()}@example.com`;
  const items = [{ itemType: 'registration_type', itemId: id }];
  const tries: (() => Promise<string | null>)[] = [
    () => serves(environment, secret, 'GET', path),
    () =>
      serves(environment, secret, 'POST', `${path}/registrations`, {
        email: newEmail(),
        registrationTypeId: id,
      }),
    () => serves(environment, secret, 'POST', `${path}/orders`, { email: newEmail(), items }),
    () =>
      serves(environment, secret, 'POST', `${path}/checkins`, {
        checkinCode,
        subjectType: 'event',
      }),
    () => nothingOverdue(environment),
  ];
  return async () => {
    const deadline = performance.now() + WITHIN_MS;
    for (let inARow = 0; ; ) {
      const missing = (await Promise.all(tries.map((each) => each()))).filter(
        (one) => one !== null,
      );
      inARow = missing.length === 0 ? inARow + 1 : 0;
      if (inARow === 2) return null;
      if (performance.now() > deadline) return `not recovered: ${missing.join(', ')}`;
      await delay(100);
    }
  };
}

async function serves(
  { gatewayUrl }: DrillEnvironment,
  secret: string,
  method: string,
  path: string,
  body?: object,
): Promise<string | null> {
  try {
    const headers = { authorization: `Bearer ${secret}` };
    const send = httpClient(gatewayUrl, headers, { timeoutMs: 3000 });
    const { status } = await send(method, path, { body });
    return status < 300 ? null : `${method} ${path} is ${status}`;
  } catch (error) {
    return `${method} ${path}: ${(error as Error).message}`;
  }
}

async function nothingOverdue({ sql }: DrillEnvironment): Promise<string | null> {
  try {
    const [overdue] = await sql<{ count: number }>(
      ['catalog', 'registration']
        .map(
          (
            schema,
          ) => `select id from ${schema}.outbox_message where stream_seq is null and rejection_reason is null
            and created_at < now() - interval '${OVERDUE_MS} ms'`,
        )
        .join(' union all ')
        .replace(/^(.*)$/s, 'select count(*)::int as count from ($1) x'),
    );
    return overdue?.count ? `${overdue.count} messages are not published` : null;
  } catch (error) {
    return `the database: ${(error as Error).message}`;
  }
}
