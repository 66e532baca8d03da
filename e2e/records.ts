import type { Operation } from '@event-api/contracts/operation';
import type { RawClient } from './raw-client.ts';

/** Makes one record by asking its collection for it, and answers the record's id. */
type Maker = (ask: RawClient, collection: string) => Promise<string>;

/** How to make a record of each kind that a path can name, and the prefix of its ids. */
const kinds: Record<string, { prefix: string; make: Maker }> = {
  '/v1/events/:eventId': {
    prefix: 'evt',
    make: posted({ name: 'Summit', timezone: 'Europe/Berlin', startsAt: '2027-05-10T07:00:00Z' }),
  },
  '/v1/events/:eventId/ticket-types/:typeId': { prefix: 'tt', make: posted({ name: 'Standard' }) },
  '/v1/events/:eventId/addons/:id': { prefix: 'addon', make: posted({ name: 'Workshop' }) },
  '/v1/events/:eventId/bundles/:id': { prefix: 'bdl', make: posted({ name: 'Everything' }) },
};

function posted(body: object): Maker {
  return async (ask, path) => {
    const answer = await ask({ method: 'POST', path, body: JSON.stringify(body) });
    if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.body}`);
    return JSON.parse(answer.body).id;
  };
}

/** One record of each kind, all of one event, by the pattern of its path. */
export type Records = Record<string, string>;

/** The patterns that end in an id on the way through a path: `/v1/a/:x` and `/v1/a/:x/b/:y` of `/v1/a/:x/b/:y/c`. */
export function patternsOf({ url }: Pick<Operation, 'url'>): string[] {
  const segments = url.split('/');
  return segments.flatMap((segment, index) =>
    segment.startsWith(':') ? [segments.slice(0, index + 1).join('/')] : [],
  );
}

/** Makes an event and one record of each other kind in it. Errors: for a path that names an unknown kind. */
export async function makeRecords(
  operations: readonly Operation[],
  ask: RawClient,
): Promise<Records> {
  const records: Records = {};
  for (const pattern of new Set(operations.flatMap(patternsOf))) {
    const collection = fill(pattern.slice(0, pattern.lastIndexOf('/')), records);
    records[pattern] = await kindOf(pattern).make(ask, collection);
  }
  return records;
}

/** The path of an operation on these records. */
export const pathOf = ({ url }: Pick<Operation, 'url'>, records: Records): string =>
  fill(url, records);

function fill(url: string, records: Records): string {
  const ids = patternsOf({ url }).map((pattern) => records[pattern] ?? '');
  return url.replace(/:\w+/g, () => ids.shift() ?? '');
}

/** An id of the right shape that no record has. */
export const nonexistentId = (pattern: string): string =>
  `${kindOf(pattern).prefix}_01k8zq4m3ne7rbj5t2xw9vd6ah`;

/** Tells of a path without a record, so that no route goes untested. */
export function kindOf(pattern: string): { prefix: string; make: Maker } {
  const kind = kinds[pattern];
  if (kind) return kind;
  throw new Error(`no test record for ${pattern}: say in e2e/records.ts how to make one`);
}
