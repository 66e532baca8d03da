import type { Search } from '@event-api/contracts/operator/search';
import {
  keepPreviousData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { type Client, type Query, useClient } from './client.ts';
import { intervalMsOf } from './intervals.ts';
import { useOptionalUnit } from './unit.ts';

/** Where the unit's requests go. Pages of the platform have no unit. */
export const unitPath = (unitId: string): string => `/api/units/${encodeURIComponent(unitId)}`;
export const platformPath = '/api/platform';

export function useScopePath(): string {
  const unit = useOptionalUnit();
  return unit ? unitPath(unit.id) : platformPath;
}

export interface QueryOptions {
  isEnabled?: boolean;
  /** Reads it again at this interval while the page is visible. */
  refetchMs?: number;
}

/** Reads with an API operation: `useRead<Event>('v1/events/evt_1')`. */
export function useRead<T>(path: string, query: Query = {}, options: QueryOptions = {}) {
  const client = useClient();
  const scope = useScopePath();
  return useQuery({
    queryKey: [scope, path, query],
    queryFn: ({ signal }) => client.request<T>({ path: `${scope}/${path}`, query, signal }),
    enabled: options.isEnabled ?? true,
    placeholderData: keepPreviousData,
    ...(options.refetchMs !== undefined && { refetchInterval: options.refetchMs }),
  });
}

/**
 * Reads with an operator command, such as `perk.list`, again at its interval if it has one. Its
 * unit is that of the page.
 */
export function useCommandRead<T>(
  operationId: string,
  input: Record<string, unknown>,
  options: QueryOptions = {},
) {
  const client = useClient();
  const unit = useOptionalUnit();
  const scope = useScopePath();
  const refetchMs = options.refetchMs ?? intervalMsOf(operationId);
  return useQuery({
    queryKey: [scope, operationId, input],
    queryFn: ({ signal }) =>
      runCommand<T>(client, { operationId, input, unitId: unit?.id ?? null, signal }),
    enabled: options.isEnabled ?? true,
    placeholderData: keepPreviousData,
    ...(refetchMs !== undefined && { refetchInterval: refetchMs }),
  });
}

/**
 * Runs an operator command in a unit, or in the whole platform (`unitId: null`). Errors: ApiError.
 */
export function runCommand<T>(
  client: Client,
  options: {
    operationId: string;
    input: Record<string, unknown>;
    unitId: string | null;
    idempotencyKey?: string;
    signal?: AbortSignal;
  },
): Promise<T> {
  const { operationId, input, unitId, idempotencyKey, signal } = options;
  const scope = unitId === null ? platformPath : unitPath(unitId);
  return client.request<T>({
    method: 'POST',
    path: `${scope}/operator/${operationId}`,
    body: unitId === null ? input : { businessUnitId: unitId, ...input },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(signal && { signal }),
  });
}

/** The pages of a list that are loaded so far. */
export interface RecordList<T> {
  rows: T[];
  isPending: boolean;
  /** The first page is being read. A list that is not enabled is pending, and does not load. */
  isLoading: boolean;
  isRefreshing: boolean;
  error: Error | null;
  /** How a search has found its rows; null for other lists. */
  foundBy: Search['by'] | null;
  /** The processes that are down, so that their rows are missing. */
  incomplete: readonly string[];
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
  reload: () => void;
  pageCount: number;
}

const pageSize = 50;

type Page = {
  nextCursor: string | null;
  incomplete?: readonly string[];
  foundBy?: Search['by'] | null;
};

/** Reads a list of the API page by page: `useList<Order>('orders', 'v1/events/evt_1/orders')`. */
export function useList<T>(
  key: string,
  path: string,
  query: Query = {},
  options: QueryOptions = {},
): RecordList<T> {
  const client = useClient();
  const scope = useScopePath();
  const result = useInfiniteQuery({
    queryKey: [scope, path, 'pages', query],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      client.request<Page>({
        path: `${scope}/${path}`,
        query: { limit: pageSize, ...query, cursor: pageParam },
        signal,
      }),
    getNextPageParam: (page: Page) => page.nextCursor,
    enabled: options.isEnabled ?? true,
    placeholderData: keepPreviousData,
    ...(options.refetchMs !== undefined && { refetchInterval: options.refetchMs }),
  });
  return toList<T>(result, key);
}

/** Reads a list of an operator command page by page, such as `registration.search`. */
export function useCommandList<T>(
  key: string,
  operationId: string,
  input: Record<string, unknown>,
  options: QueryOptions = {},
): RecordList<T> {
  const client = useClient();
  const unit = useOptionalUnit();
  const scope = useScopePath();
  const result = useInfiniteQuery({
    queryKey: [scope, operationId, 'pages', input],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      runCommand<Page>(client, {
        operationId,
        input: { limit: pageSize, ...input, ...(pageParam !== null && { cursor: pageParam }) },
        unitId: unit?.id ?? null,
        signal,
      }),
    getNextPageParam: (page: Page) => page.nextCursor,
    enabled: options.isEnabled ?? true,
    placeholderData: keepPreviousData,
  });
  return toList<T>(result, key);
}

function toList<T>(
  result: UseInfiniteQueryResult<{ pages: Page[] }, Error>,
  key: string,
): RecordList<T> {
  const pages = result.data?.pages ?? [];
  return {
    rows: pages.flatMap((page) => (page as unknown as Record<string, T[]>)[key] ?? []),
    isPending: result.isPending,
    isLoading: result.isLoading,
    isRefreshing: result.isPlaceholderData,
    error: result.error,
    foundBy: pages[0]?.foundBy ?? null,
    incomplete: [...new Set(pages.flatMap((page) => page.incomplete ?? []))],
    hasMore: result.hasNextPage,
    isLoadingMore: result.isFetchingNextPage,
    loadMore: () => void result.fetchNextPage(),
    reload: () => void result.refetch(),
    pageCount: pages.length,
  };
}

/**
 * Stores the response to a write as what a read of `path` returns, so that the page shows it even
 * if it cannot be read again.
 */
export function useStoreRead(): (path: string, value: unknown) => void {
  const queries = useQueryClient();
  const scope = useScopePath();
  return useCallback(
    (path, value) => void queries.setQueryData([scope, path, {}], value),
    [queries, scope],
  );
}

/**
 * Reads everything on the page again. Called after every write, so no page shows what is no longer
 * true.
 */
export function useReload(): () => Promise<void> {
  const queries = useQueryClient();
  const scope = useScopePath();
  return useCallback(() => queries.invalidateQueries({ queryKey: [scope] }), [queries, scope]);
}

const refreshMs = 15_000;

/** Calls `read` every 15 seconds while the page is visible. */
export function useRefreshWith(read: () => unknown, options: { isEnabled: boolean }): void {
  const { isEnabled } = options;
  useEffect(() => {
    if (!isEnabled) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && read(), refreshMs);
    return () => clearInterval(timer);
  }, [read, isEnabled]);
}

/**
 * Reads everything on the page again every 15 seconds while it is visible, for pages that are not
 * live: a stream for each of them would cost more than it shows.
 */
export const useRefresh = (options: { isEnabled: boolean }): void =>
  useRefreshWith(useReload(), options);
