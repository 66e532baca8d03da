import type { QueryOptions } from '../../api/queries.ts';
import { usePermission } from '../../api/unit.ts';

const refetchMs = 10_000;

/** Reads again at an interval, only for roles to which the stream of the event sends no changes. */
export const useRefetch = (): QueryOptions => (usePermission('changes') ? {} : { refetchMs });
