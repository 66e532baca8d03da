import type { ComponentProps, ReactNode } from 'react';
import type { RecordList } from '../../api/api.queries.ts';
import { searchText as text } from '../../text/search.ts';
import { Button } from '../ui/button.tsx';
import { useOpenSearch } from '../ui/open-search.ts';
import { Empty } from '../ui/states.tsx';
import { EmptyFiltered } from './filters.tsx';

type Kind = 'people' | 'orders';

/** Says above the rows of a search that they are only similar to its text. */
export const SimilarNote = ({
  kind,
  list,
  query,
}: {
  kind: Kind;
  list: Pick<RecordList<unknown>, 'foundBy'>;
  query: string;
}) =>
  list.foundBy === 'similarName' && (
    <p role="status" className="border-b border-line px-4 py-2 text-muted">
      {text[kind].similar(query)}
    </p>
  );

/**
 * Why a list has no rows: a search found nothing, no row fits the filters, or, as `children` say,
 * there are none yet.
 */
export function EmptyList({
  kind,
  query,
  isFiltered,
  filteredTitle,
  days,
  onRemoveFilters,
  children,
}: {
  kind: Kind;
  query: string;
  isFiltered: boolean;
  filteredTitle: string;
  days: ComponentProps<typeof EmptyFiltered>['days'];
  onRemoveFilters: () => void;
  children: ReactNode;
}) {
  if (query !== '') {
    return (
      <NothingFound
        kind={kind}
        query={query}
        onRemoveFilters={isFiltered ? onRemoveFilters : null}
      />
    );
  }
  return isFiltered ? <EmptyFiltered title={filteredTitle} days={days} /> : children;
}

/** What a search has tried in vain, and where else to search. */
function NothingFound({
  kind,
  query,
  onRemoveFilters,
}: {
  kind: Kind;
  query: string;
  /** Given if filters limit the search. */
  onRemoveFilters: (() => void) | null;
}) {
  const openSearch = useOpenSearch();
  return (
    <Empty
      title={text[kind].none(query)}
      action={
        <span className="flex flex-wrap justify-center gap-2">
          {onRemoveFilters && <Button onClick={onRemoveFilters}>{text.withoutFilters}</Button>}
          <Button onClick={() => openSearch({ query, isEverywhere: true })}>
            {text.everywhere}
          </Button>
        </span>
      }
    >
      {text[kind].tried}
      {onRemoveFilters && ` ${text.filtered}`}
    </Empty>
  );
}
