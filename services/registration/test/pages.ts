import type { HttpClient } from '@event-api/platform/testing/http-client';
import { succeeded } from './projection-fixtures.ts';

/** Reads all records of a list in pages of `limit` rows. */
export async function readAll(
  call: HttpClient,
  path: string,
  filters: Record<string, string> = {},
  limit = 2,
  // biome-ignore lint/suspicious/noExplicitAny: tests read records of any type.
): Promise<any[]> {
  const records = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ ...filters, limit: `${limit}`, ...(cursor && { cursor }) });
    const { nextCursor, ...body } = succeeded(await call('GET', `${path}?${query}`));
    records.push(...(Object.values(body)[0] as object[]));
    cursor = nextCursor;
  }
  return records;
}
