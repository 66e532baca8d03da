import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../api/api.queries.ts';
import { useEventPath, useTicketTypes } from '../../api/event-data.ts';
import type { RedemptionCode } from '../../api/records.ts';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import { ExportButton } from '../../components/list/export-button.tsx';
import { FilterChip, SearchField } from '../../components/list/filters.tsx';
import { ListFilters } from '../../components/list/list-filters.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Empty } from '../../components/ui/states.tsx';
import { PageHeader } from '../../components/ui/surface.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { paths } from '../../format/paths.ts';
import { codesText as text } from '../../text/codes.ts';
import { common } from '../../text/common.ts';
import { statusText } from '../../text/status.ts';
import { Batch } from './batch.tsx';
import { BatchDialog } from './batch-dialog.tsx';
import { Batches } from './batches.tsx';
import { CodeTable, codeColumns } from './code-table.tsx';
import { matchesCode } from './codes.rules.ts';

const statuses = (['active', 'disabled'] as const).map((value) => ({
  value,
  label: statusText.code[value],
}));

/** The redemption codes of the event, by batch, or of one batch. */
export function CodesPage() {
  const [search] = useSearchState();
  return search.batch ? <Batch key={search.batch} id={search.batch} /> : <Codes />;
}

/** The filters of the codes. A ticket type is one of the event. */
function useFilters() {
  const types = useTicketTypes().data?.ticketTypes;
  const choices = types?.map(({ id, name }) => ({ value: id, label: name }));
  const [search, setSearch] = useSearchState({ status: statuses, type: choices });
  return { search, setSearch, types: types ?? [], choices: choices ?? [] };
}

function Codes() {
  const unit = useUnit();
  const event = useEvent();
  const path = `${useEventPath()}/redemption-codes`;
  const mayWrite = usePermission('codes');
  const { search, types } = useFilters();
  const [isCreating, setCreating] = useState(false);
  const isBatches = search.view === 'batches';
  const create = mayWrite && (
    <Button kind="primary" icon={Plus} onClick={() => setCreating(true)}>
      {text.create}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={text.title}
        description={text.description}
        actions={
          <>
            <ExportButton<RedemptionCode>
              listKey="redemptionCodes"
              path={path}
              query={{ status: search.status }}
              isIncluded={matchesCode({ text: search.q, ticketTypeId: search.type })}
              fileName={`codes-${event.publicId}.csv`}
              columns={codeColumns(event, types)}
            />
            {create}
          </>
        }
      />
      <Tabs
        label={text.viewsLabel}
        href={paths.eventPage(unit.id, event.id, 'codes')}
        tabs={[
          { label: text.views.codes, search: {}, isCurrent: !isBatches },
          { label: text.views.batches, search: { view: 'batches' }, isCurrent: isBatches },
        ]}
      />
      {isBatches ? <Batches create={create} /> : <AllCodes create={create} />}
      {isCreating && <BatchDialog types={types} onClose={() => setCreating(false)} />}
    </>
  );
}

/** The API filters by the status only, so a search reads large pages and filters them here. */
const searchedPage = 1000;

function AllCodes({ create }: { create: React.ReactNode }) {
  const path = `${useEventPath()}/redemption-codes`;
  const { search, setSearch, choices } = useFilters();
  const { q, status, type } = search;
  const list = useList<RedemptionCode>('redemptionCodes', path, {
    status,
    ...((q || type) && { limit: searchedPage }),
  });
  const rows = list.rows.filter(matchesCode({ text: q, ticketTypeId: type }));
  return (
    <>
      <ListFilters
        search={
          <SearchField
            label={text.search}
            value={q ?? ''}
            onChange={(value) => setSearch({ q: value, pages: undefined })}
          />
        }
        values={[status, type]}
        onClear={() => setSearch({ status: undefined, type: undefined, pages: undefined })}
      >
        <FilterChip
          label={common.status}
          value={status}
          choices={statuses}
          onChange={(value) => setSearch({ status: value, pages: undefined })}
        />
        <FilterChip
          label={text.columns.ticket}
          value={type}
          choices={choices}
          onChange={(value) => setSearch({ type: value, pages: undefined })}
        />
      </ListFilters>
      <CodeTable
        list={{ ...list, rows }}
        empty={
          q || status || type ? (
            <Empty title={list.hasMore ? text.emptySoFar : text.emptyFiltered} />
          ) : (
            <Empty guide="running-an-event#codes" title={text.empty} action={create}>
              {text.emptyText}
            </Empty>
          )
        }
      />
    </>
  );
}
