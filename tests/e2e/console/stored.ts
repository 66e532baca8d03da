import type { APIRequestContext } from 'playwright-core';
import type { Write } from './watch-writes.ts';

interface Found {
  [field: string]: unknown;
}

/** Where the record of a command is read: a command with its input, or a path of the API. */
type Reading = { command: string; platform?: true } | { path: string };

/** The lists of the records that have no operation of the API. */
const lists: Record<string, Reading> = {
  key: { command: 'key.list' },
  perk: { command: 'perk.list' },
  taxRate: { command: 'taxRate.list' },
  device: { command: 'device.list' },
  form: { command: 'form.get' },
  refundPolicy: { command: 'refundPolicy.get' },
  member: { command: 'member.list' },
  invitation: { command: 'invitation.list' },
  unit: { command: 'unit.list', platform: true },
  operator: { command: 'operator.listAdmins', platform: true },
};

const segments: Record<string, string> = {
  session: 'sessions',
  speaker: 'speakers',
  venue: 'venues',
  exhibitor: 'exhibitors',
  order: 'orders',
  code: 'redemption-codes',
  registration: 'registrations',
};

/** Fields of requests that are no fields of a record. */
const instructions = [
  ...['businessUnitId', 'eventId', 'confirmAgendaReset', 'expected', 'untilEventEnds'],
  ...['force', 'all', 'onlyDue', 'amount', 'reason', 'registrationIds', 'keepRegistrations'],
  // Secrets, which nothing returns, and where a page leads back to.
  ...['secretKey', 'webhookSecret', 'returnUrl'],
];

/**
 * Reads the record of a write through the API, and returns what differs from the fields that were
 * sent and from the response. A record that a write ends may be gone.
 */
export async function differencesOf(
  write: Write,
  { api, unitUrl, origin }: { api: APIRequestContext; unitUrl: string; origin: string },
): Promise<string[]> {
  const reading = readingOf(write);
  if (!reading) return [`${write.operation}: nothing says where its record is read`];
  if (reading === 'none') return [];
  const response =
    'path' in reading
      ? await api.get(`${unitUrl}${reading.path}`)
      : await api.post(
          `${reading.platform ? `${origin}/api/platform` : unitUrl}/operator/${reading.command}`,
          {
            data: reading.platform ? {} : scopeOf(write),
            headers: { origin },
          },
        );
  const isEnd = /\.(delete|remove|revoke)/.test(write.operation);
  if (isEnd && response.status() === 404) return [];
  if (!response.ok()) return [`${write.operation}: its record is ${await response.text()}`];
  const sent = fieldsOf(write.body);
  const id = idIn(write.response);
  const records = objectsIn(await response.json());
  const own = records.filter((each) => id === null || each.id === id).flatMap(objectsIn);
  if (isEnd && own.length === 0) return [];
  const misses = own.map((each) => missesOf(sent, each));
  if (misses.some((fields) => fields.length === 0)) return [];
  const fewest = misses.toSorted((left, right) => left.length - right.length)[0];
  return [`${write.operation}: the record lacks ${fewest?.join(', ') ?? `the id ${id}`}`];
}

function readingOf({ operation, method, url, response, body }: Write): Reading | 'none' | null {
  const path = new URL(url).pathname.replace(/^\/api\/units\/[^/]+/, '');
  if (path.startsWith('/v1/')) {
    const ids = /^(.*\/[a-z]+_[0-9a-z]{20,})(\/[\w-]+)?$/.exec(path);
    if (ids && (method !== 'POST' || verbs.test(ids[2] ?? ''))) return { path: ids[1] ?? '' };
    return { path: `${path}/${idIn(response)}` };
  }
  if (/^(POST|PATCH|PUT|DELETE) /.test(operation)) return 'none';
  const [noun = '', verb = ''] = operation.split('.');
  if (noun === 'projection' || noun === 'commerce' || noun === 'reconciliation') return 'none';
  if (noun === 'operator' && verb === 'invite') {
    // The link of an owner of another unit is in the list of that unit.
    const { businessUnitId } = fieldsOf(body, []);
    return businessUnitId ? 'none' : { command: 'operator.listAdmins', platform: true };
  }
  // No event has the terms of its cancellation.
  if (operation === 'event.cancel') return 'none';
  if (operation === 'event.setLimits') return { command: 'event.getLimits' };
  if (operation === 'event.setDoorRules') return { command: 'event.getDoorRules' };
  if (operation === 'refund.setDelay') return { command: 'refund.getDelay' };
  if (noun === 'paymentAccount') return { command: 'paymentAccount.get' };
  if (noun === 'member' && verb === 'invite') return { command: 'invitation.list' };
  if (lists[noun]) return lists[noun];
  const { eventId, redemptionCodeId, [`${noun}Id`]: named = redemptionCodeId } = fieldsOf(body, []);
  if (noun === 'event') return { path: `/v1/events/${eventId}` };
  const segment = segments[noun];
  if (!segment) return null;
  return { path: `/v1/events/${eventId}/${segment}/${named ?? idIn(response)}` };
}

/** The last part of a path that changes the record in front of it. */
const verbs = /^\/(approve|reject|cancel|archive|disable|confirm|undo|test|replay|rotate-secret)$/;

const scopeOf = ({ body, url }: Write): object => {
  const { eventId } = fieldsOf(body, []);
  const businessUnitId = /\/units\/([^/]+)/.exec(url)?.[1];
  return { businessUnitId, ...(eventId !== undefined && { eventId }) };
};

const fieldsOf = (body: unknown, without: readonly string[] = instructions): Found =>
  typeof body === 'object' && body !== null
    ? Object.fromEntries(Object.entries(body).filter(([name]) => !without.includes(name)))
    : {};

/** The id of the record in a response, which may be inside of a result. */
function idIn(response: unknown): string | null {
  const first = objectsIn(response).find(({ id }) => /^[a-z]+_[0-9a-z]{20,}$/.test(String(id)));
  return first ? String(first.id) : null;
}

/** All objects of a response, the outer ones first. */
function objectsIn(value: unknown): Found[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (typeof value !== 'object' || value === null) return [];
  return [value as Found, ...Object.values(value).flatMap(objectsIn)];
}

/**
 * The fields of a request that the record has with another value, or all if it has none of them:
 * some are instructions, and no fields of the record.
 */
function missesOf(sent: Found, record: Found): string[] {
  const fields = Object.entries(sent);
  const known = fields.filter(([name]) => name in record);
  return (known.length > 0 ? known.filter(([name, value]) => !isSame(value, record[name])) : fields)
    .filter(([name]) => known.length > 0 || !name.endsWith('Id'))
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`);
}

function isSame(sent: unknown, stored: unknown): boolean {
  if (typeof sent === 'string' && typeof stored === 'string') {
    return sent === stored || Date.parse(sent) === Date.parse(stored);
  }
  if (Array.isArray(sent) && Array.isArray(stored)) {
    return sent.length === stored.length && sent.every((each, at) => isSame(each, stored[at]));
  }
  if (typeof sent === 'object' && sent !== null && typeof stored === 'object' && stored !== null) {
    return missesOf(sent as Found, stored as Found).length === 0;
  }
  return sent === stored;
}
