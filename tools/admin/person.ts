import {
  findCheckins,
  findOrders,
  findRegistrations,
  maxFound,
  type Person,
  type PersonPart,
  personParts,
  type showPerson,
} from '@event-api/contracts/operator/persons';
import { ApiError } from '@event-api/platform/core/errors';
import type { z } from 'zod';
import { type OperatorClient, OperatorError, PlatformUnreachableError } from './operator-client.ts';

type Input = z.output<typeof showPerson.schema.body>;

interface Scope {
  businessUnitId: string;
  eventId?: string | undefined;
}

/** Notes that a part is absent or incomplete. */
type Report = (part: PersonPart, reason: string) => void;

/**
 * Returns the records of one person, each from its owner. A part whose owner does not respond is
 * null and listed in `missing`. Errors: 404 for an unknown badge code or order number; the errors
 * of the service that identifies the person.
 */
export async function collectPerson(
  client: Pick<OperatorClient, 'call'>,
  { businessUnitId, eventId, ...key }: Input,
): Promise<Person> {
  const scope = { businessUnitId, eventId };
  const missing: Person['missing'] = [];
  const report: Report = (part, reason) =>
    void missing.push({ part, owner: personParts[part], reason });
  const email = await identify(client, scope, key);

  const found = await orMissing('registrations', report, () =>
    client.call(findRegistrations, { ...scope, email }),
  );
  const registrations = found?.registrations ?? null;
  const orderIds = (registrations ?? []).flatMap(({ orderId }) => orderId ?? []);
  const orders = await orMissing('orders', report, () =>
    ordersOf(client, scope, { email, orderIds }),
  );
  if (!registrations) report('checkins', 'they are found by the registrations, which are missing');
  const checkins =
    registrations &&
    (await orMissing('checkins', report, () =>
      client.call(findCheckins, {
        businessUnitId,
        registrationIds: registrations.map(({ id }) => id),
      }),
    ));
  return {
    email,
    registrations,
    orders: orders?.orders ?? null,
    checkins: checkins?.checkins ?? null,
    missing,
  };
}

/** The email of the person. Errors: 404. */
async function identify(
  client: Pick<OperatorClient, 'call'>,
  scope: Scope,
  { email, checkinCode, orderNumber }: Omit<Input, keyof Scope>,
): Promise<string> {
  if (email !== undefined) return email;
  if (checkinCode !== undefined) {
    const { registrations } = await client.call(findRegistrations, { ...scope, checkinCode });
    return registrations[0]?.email ?? notFound('checkinCode', 'is not on a badge');
  }
  const { orders } = await client.call(findOrders, { ...scope, orderNumber });
  return orders[0]?.email ?? notFound('orderNumber', 'is not the number of an order');
}

function notFound(field: string, what: string): never {
  const issue = `${what} of the business unit or event`;
  throw new ApiError(404, `${field} ${issue}`, { details: [{ field, issue, code: 'not_found' }] });
}

/** The orders of the email as buyer, and those that created its registrations, newest first. */
async function ordersOf(
  client: Pick<OperatorClient, 'call'>,
  scope: Scope,
  { email, orderIds }: { email: string; orderIds: readonly string[] },
) {
  const own = await client.call(findOrders, { ...scope, email });
  const others = orderIds.filter((id) => !own.orders.some((order) => order.id === id));
  if (others.length === 0) return own;
  const more = await client.call(findOrders, { ...scope, orderIds: [...new Set(others)] });
  const orders = [...own.orders, ...more.orders].toSorted((one, other) =>
    one.placedAt < other.placedAt ? 1 : -1,
  );
  return { orders, isComplete: own.isComplete };
}

/** The response of an owner. If the owner is unavailable, reports the part and returns null. */
async function orMissing<Found extends { isComplete: boolean }>(
  part: PersonPart,
  report: Report,
  find: () => Promise<Found>,
): Promise<Found | null> {
  try {
    const found = await find();
    if (!found.isComplete) report(part, `only the newest ${maxFound} are listed`);
    return found;
  } catch (error) {
    const isAway =
      error instanceof PlatformUnreachableError ||
      (error instanceof OperatorError && error.status >= 500);
    if (!isAway) throw error;
    report(part, `${personParts[part]} does not respond`);
    return null;
  }
}
