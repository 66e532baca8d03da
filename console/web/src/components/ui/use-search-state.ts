import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { type FilterForms, validFilters } from './filter-rules.ts';
import { decideStep, filtersOf } from './search-rules.ts';

export type SearchState = Record<string, string | undefined>;

/** What an entry of the history knows: the filters that it was added for. */
interface EntryState {
  filters?: string;
}

const noForms: FilterForms = {};

/**
 * The filters of a page, which are its query string: back, reload and a copied address restore
 * them. A value that does not have the form of its filter is ignored, and leaves the address with
 * the next change.
 */
export function useSearchState(
  forms = noForms,
): readonly [SearchState, (change: SearchState) => void] {
  const search = validFilters(useSearch({ strict: false }) as SearchState, forms);
  const navigate = useNavigate();
  const router = useRouter();
  const change = (values: SearchState) => {
    const entry = router.state.location.state as EntryState;
    const filters = filtersOf(values);
    const isReplaced = decideStep(entry.filters, filters) === 'replace';
    void navigate({
      to: '.',
      search: (previous: SearchState) =>
        Object.fromEntries(
          Object.entries({ ...validFilters(previous, forms), ...values }).filter(
            ([, value]) => value,
          ),
        ) as never,
      state: { filters: isReplaced ? entry.filters : filters } as never,
      replace: isReplaced,
      resetScroll: false,
    });
  };
  return [search, change];
}
