import { apiOperations } from '@event-api/contracts/http/operations';
import type { Operation } from '@event-api/contracts/operation';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { nonexistentId, patternsOf } from '../records.ts';
import type { JourneyIds } from './journey.ts';

/**
 * Sends the requests that every operation rejects in the same way: an unknown record, field or
 * query parameter.
 */
export async function provokeRejections(call: HttpClient, ids: JourneyIds): Promise<void> {
  for (const operation of apiOperations) {
    // A claim has a token in place of the key; the journey provokes its rejections.
    if (operation.config.permission === 'claim') continue;
    const { method, schema } = operation;
    const path = pathOf(operation, ids);
    if (schema.body) await call(method, path, { body: withUnknownField(operation) });
    else await call(method, `${path}?unexpected=1`);
    if (patternsOf(operation).length > 0) await call(method, pathOf(operation, ids, true));
  }
}

const withUnknownField = ({ url }: Operation): unknown =>
  url.endsWith('/items') ? [{ unexpected: 1 }] : { unexpected: 1 };

/**
 * Returns the path of an operation on records of the journey. With `isUnknown`, the last id does
 * not exist.
 */
function pathOf({ url }: Operation, ids: JourneyIds, isUnknown = false): string {
  const patterns = patternsOf({ url });
  return patterns.reduce((path, pattern, index) => {
    const segments = pattern.split('/');
    const isLast = isUnknown && index === patterns.length - 1;
    const id = isLast ? nonexistentId(pattern) : (ids[segments.at(-2) ?? ''] ?? '');
    return path.replace(segments.at(-1) ?? '', id);
  }, url);
}
