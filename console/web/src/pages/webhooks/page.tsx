import { useParams } from '@tanstack/react-router';
import { Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../api/api.queries.ts';
import type { WebhookEndpoint } from '../../api/records.ts';
import { useUnit } from '../../api/unit.ts';
import { ListWithDetail } from '../../components/detail/side-panel.tsx';
import type { Column } from '../../components/list/column.ts';
import { FilterChip } from '../../components/list/filters.tsx';
import { RecordTable } from '../../components/list/record-table.tsx';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { Empty } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { paths } from '../../format/paths.ts';
import { statusText } from '../../text/status.ts';
import { webhooksText as text } from '../../text/webhooks.ts';
import { Endpoint } from './endpoint.tsx';
import { CreateDialog } from './endpoint-form.tsx';
import { healthOf } from './webhooks.rules.ts';

/** The webhook endpoints, and the page of one beside them. */
export function WebhooksPage() {
  const unit = useUnit();
  const { endpointId } = useParams({ strict: false }) as { endpointId?: string };
  return (
    <ListWithDetail
      label={text.endpoint}
      listHref={paths.webhooks(unit.id)}
      list={<Endpoints activeId={endpointId} />}
      detail={endpointId ? <Endpoint key={endpointId} id={endpointId} /> : null}
    />
  );
}

const statuses = (['pending', 'enabled', 'disabled'] as const).map((value) => ({
  value,
  label: statusText.endpoint[value],
}));

function Endpoints({ activeId }: { activeId: string | undefined }) {
  const unit = useUnit();
  const [search, setSearch] = useSearchState({ status: statuses });
  const [isCreating, setCreating] = useState(false);
  const { status } = search;
  const list = useList<WebhookEndpoint>('webhookEndpoints', 'v1/webhook-endpoints', { status });
  const create = (
    <Button kind="primary" icon={Plus} onClick={() => setCreating(true)}>
      {text.create}
    </Button>
  );
  return (
    <>
      <PageHeader title={text.title} description={text.description} actions={create} />
      <div className="mb-3">
        <FilterChip
          label={text.status}
          value={status}
          choices={statuses}
          onChange={(next) => setSearch({ status: next, pages: undefined })}
        />
      </div>
      <Section isFlush>
        <RecordTable
          label={text.title}
          list={list}
          columns={columns}
          rowId={({ id }) => id}
          rowName={({ url }) => url}
          rowHref={({ id }) => paths.webhook(unit.id, id)}
          search={status ? { status } : {}}
          activeId={activeId}
          empty={
            status ? (
              <Empty title={text.emptyFiltered} />
            ) : (
              <Empty guide="webhooks" icon={Webhook} title={text.empty} action={create}>
                {text.emptyText}
              </Empty>
            )
          }
        />
      </Section>
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </>
  );
}

const columns: Column<WebhookEndpoint>[] = [
  {
    id: 'url',
    header: text.columns.url,
    cell: ({ url }) => <span className="wrap-anywhere">{url}</span>,
  },
  {
    id: 'status',
    header: text.columns.status,
    card: 'corner',
    cell: (endpoint) => <StatusBadge kind="endpoint" status={healthOf(endpoint)} />,
  },
  {
    id: 'types',
    header: text.columns.types,
    cell: ({ types }) => (types === null ? text.everyType : text.typeCount(types.length)),
  },
  {
    id: 'created',
    header: text.columns.created,
    cell: ({ createdAt }) => <Instant at={createdAt} style="day" />,
  },
];
