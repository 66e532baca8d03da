import type { Search } from '@event-api/contracts/operator/search';
import { runCommand, useCommandList, useCommandRead } from '../../api/api.queries.ts';
import { useClient } from '../../api/client.ts';
import { useForm, useTicketTypes } from '../../api/event-data.ts';
import type { Order, Registration, RegistrationCounts } from '../../api/records.ts';
import { repeatLimited } from '../../api/repeat-limited.ts';
import { useEvent, useMayReadEmails, usePermission, useUnit } from '../../api/unit.ts';
import { searchForm } from '../../components/list/filters.tsx';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { periodOf } from '../../format/time.ts';
import { statusText } from '../../text/status.ts';
import { answerChoices, mayBeOrderNumber, sortChoices, sortOf } from './list.rules.ts';

export const statuses = Object.entries(statusText.registration).map(([value, label]) => ({
  value: value as Registration['status'],
  label,
}));

/** The most people of a selection. Each of them is one request. */
export const maxSelected = 1000;

/** The questions of the form, for the roles that read its answers. */
export function useQuestions() {
  const mayRead = useMayReadEmails();
  const form = useForm();
  return mayRead ? form.data?.questions : [];
}

/** The filters and the order of the list, as the address has them. */
function useFilters() {
  const event = useEvent();
  const types = useTicketTypes().data?.ticketTypes;
  const questions = useQuestions();
  const answers = questions && answerChoices(questions);
  const [search, setSearch] = useSearchState({
    q: searchForm,
    status: statuses,
    type: types?.map(({ id, name }) => ({ value: id, label: name })),
    from: 'day',
    until: 'day',
    answer: answers,
    sort: sortChoices,
  });
  const { from: registeredFrom, before: registeredBefore } = periodOf(
    search.from,
    search.until,
    event.timezone,
  );
  const filters = { registrationTypeId: search.type, registeredFrom, registeredBefore };
  const answer = answers?.find(({ value }) => value === search.answer)?.filter;
  return {
    search,
    setSearch,
    filters: withoutAbsent({ eventId: event.id, ...filters, answer }),
    // Until the questions are loaded, the filter by an answer is not known.
    isKnown: search.answer === undefined || answers !== undefined,
    types: types ?? [],
    questions: questions ?? [],
    answers: answers ?? [],
  };
}

// The key of a query compares its values, and an absent one is not sent.
const withoutAbsent = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** The list that the filters describe, and how many people it has. A search has its own order. */
export function useRegistrationList() {
  const { filters, isKnown, ...found } = useFilters();
  const { q = '', status, sort } = found.search;
  const query = q.trim();
  const isSearch = query !== '';
  const order = useOrderOfNumber(query);
  const searched = isSearch ? { query: order.id ?? query } : {};
  const command = isSearch ? 'registration.search' : 'registration.list';
  const input = withoutAbsent({ ...filters, ...searched, ...(!isSearch && sortOf(sort)), status });
  const isEnabled = isKnown && !order.isLoading;
  const list = useCommandList<Registration>('registrations', command, input, { isEnabled });
  const counts = useCommandRead<RegistrationCounts>(
    'registration.count',
    { ...filters, ...searched },
    { isEnabled },
  );
  const { total, statuses: byStatus } = counts.data ?? {};
  return {
    ...found,
    isSearch,
    list,
    counts: byStatus,
    total: status ? byStatus?.[status as Registration['status']] : total,
    everybody: total,
    command,
    input,
    readAll: useReadAll(command, input, isSearch ? 50 : maxSelected),
  };
}

/** The order whose number a search has as its text; its people are what the search means. */
function useOrderOfNumber(query: string): { id: string | null; isLoading: boolean } {
  const eventId = useEvent().id;
  const isEnabled = usePermission('orders.list') && mayBeOrderNumber(query);
  const input = { eventId, query, limit: 2 };
  const { data, isFetching, isPlaceholderData } = useCommandRead<{
    orders: Order[];
    foundBy: Search['by'] | null;
  }>('order.search', input, { isEnabled });
  const isRead = isEnabled && data !== undefined && !isPlaceholderData;
  const [order, ...others] = isRead && data.foundBy === 'orderNumber' ? data.orders : [];
  return {
    id: order && others.length === 0 ? order.id : null,
    isLoading: isEnabled && isFetching && !isRead,
  };
}

/** Returns a function that reads the people of the list from the first one on, up to the limit. */
function useReadAll(operationId: string, input: Record<string, unknown>, pageSize: number) {
  const client = useClient();
  const unit = useUnit();
  return async (signal: AbortSignal): Promise<Registration[]> => {
    const people: Registration[] = [];
    let cursor: string | null = null;
    do {
      const page: { registrations: Registration[]; nextCursor: string | null } =
        await repeatLimited(
          () =>
            runCommand(client, {
              operationId,
              input: { ...input, limit: pageSize, ...(cursor !== null && { cursor }) },
              unitId: unit.id,
              signal,
            }),
          signal,
        );
      people.push(...page.registrations);
      cursor = page.nextCursor;
    } while (cursor !== null && people.length < maxSelected);
    return people.slice(0, maxSelected);
  };
}
