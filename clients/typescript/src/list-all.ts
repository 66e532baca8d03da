type Page = Record<string, unknown> & { nextCursor: string | null };
/** An operation that returns a page of records. */
type ListOperation = (options: never) => Promise<{ nextCursor: string | null } | undefined>;
type PageOf<List extends ListOperation> = NonNullable<Awaited<ReturnType<List>>>;

/** The record type of a page of a list. */
type ItemOf<Page> = {
  [Name in keyof Page]: Page[Name] extends readonly (infer Item)[] ? Item : never;
}[keyof Page];

/**
 * Reads a list to its end, page by page, and yields its records: `for await (const order of
 * listAll(listOrders, { client, path: { eventId } }))`. Pages have 200 records unless `query.limit`
 * says otherwise. Errors: those of the operation.
 */
export async function* listAll<List extends ListOperation>(
  list: List,
  options: Parameters<List>[0],
): AsyncGenerator<ItemOf<PageOf<List>>, void, undefined> {
  // The types of all operations in one: only their options and records differ.
  const read = list as unknown as (options: object) => Promise<Page>;
  const { query } = options as { query?: object };
  let cursor: string | null = null;
  do {
    const page: Page = await read({
      ...(options as object),
      query: { limit: 200, ...query, ...(cursor !== null && { cursor }) },
    });
    yield* Object.values(page).find(Array.isArray) as ItemOf<PageOf<List>>[];
    cursor = page.nextCursor;
  } while (cursor !== null);
}
