import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useEventPath, useTicketTypes } from '../../api/event-data.ts';
import { useList } from '../../api/queries.ts';
import type { RedemptionCode } from '../../api/records.ts';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import { ExportButton } from '../../components/list/export-button.tsx';
import { FilterChip } from '../../components/list/filters.tsx';
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

const statuses = (['active', 'disabled'] as const).map((value) => ({
  value,
  label: statusText.code[value],
}));

/** The redemption codes of the event, by batch, or of one batch. */
export function CodesPage() {
  const [search] = useSearchState();
  return search.batch ? <Batch key={search.batch} id={search.batch} /> : <Codes />;
}

function Codes() {
  const unit = useUnit();
  const event = useEvent();
  const path = `${useEventPath()}/redemption-codes`;
  const mayWrite = usePermission('codes');
  const [search] = useSearchState();
  const types = useTicketTypes().data?.ticketTypes ?? [];
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
              fileName={`codes-${event.publicId}.csv`}
              columns={codeColumns}
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

function AllCodes({ create }: { create: React.ReactNode }) {
  const path = `${useEventPath()}/redemption-codes`;
  const [search, setSearch] = useSearchState();
  const list = useList<RedemptionCode>('redemptionCodes', path, { status: search.status });
  return (
    <>
      <div className="mb-3">
        <FilterChip
          label={common.status}
          value={search.status}
          choices={statuses}
          onChange={(status) => setSearch({ status, pages: undefined })}
        />
      </div>
      <CodeTable
        list={list}
        empty={
          search.status ? (
            <Empty title={text.emptyFiltered} />
          ) : (
            <Empty title={text.empty} action={create}>
              {text.emptyText}
            </Empty>
          )
        }
      />
    </>
  );
}
