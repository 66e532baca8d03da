import { useNavigate, useSearch } from '@tanstack/react-router';

export type SearchState = Record<string, string | undefined>;

/** The filters of a page, which are its query string: back, reload and a copied address restore them. */
export function useSearchState(): readonly [SearchState, (change: SearchState) => void] {
  const search = useSearch({ strict: false }) as SearchState;
  const navigate = useNavigate();
  const change = (values: SearchState) => {
    void navigate({
      to: '.',
      search: (previous: SearchState) =>
        Object.fromEntries(
          Object.entries({ ...previous, ...values }).filter(([, value]) => value),
        ) as never,
      replace: true,
      resetScroll: false,
    });
  };
  return [search, change];
}
