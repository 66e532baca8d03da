import { useAction } from '../../api/actions.ts';
import { useList } from '../../api/queries.ts';
import type { WebhookDelivery } from '../../api/records.ts';
import type { Column } from '../../components/list/column.ts';
import { FilterChip } from '../../components/list/filters.tsx';
import { RecordTable } from '../../components/list/record-table.tsx';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { Button } from '../../components/ui/button.tsx';
import { CopyText } from '../../components/ui/copy.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { Empty, ErrorNote } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { formatCount } from '../../format/count.ts';
import { common } from '../../text/common.ts';
import { statusText } from '../../text/status.ts';
import { webhooksText as text } from '../../text/webhooks.ts';
import { canRetry } from './rules.ts';

const results = Object.entries(statusText.delivery).map(([value, label]) => ({ value, label }));

/** The attempts of an endpoint, and a way to repeat one. The result is a filter in the address. */
export function Deliveries({ path }: { path: string }) {
  const [search, setSearch] = useSearchState();
  const toast = useToast();
  const { result } = search;
  const list = useList<WebhookDelivery>('deliveries', `${path}/deliveries`, { result });
  const retry = useAction(() => toast(text.replayStarted));
  const onRetry = ({ changeId }: WebhookDelivery) =>
    void retry.run({ method: 'POST', path: `${path}/replay`, body: { changeId } });
  return (
    <Section
      title={text.deliveries}
      description={text.deliveriesText}
      isFlush
      actions={
        <FilterChip
          label={text.result}
          value={result}
          choices={results}
          onChange={(next) => setSearch({ result: next, pages: undefined })}
        />
      }
    >
      {retry.error && <ErrorNote error={retry.error} />}
      <RecordTable
        label={text.deliveries}
        list={list}
        columns={columnsOf(onRetry)}
        rowId={({ changeId, attempt, isReplay, attemptedAt }) =>
          [changeId, attempt, isReplay, attemptedAt].join()
        }
        rowName={({ type, changeId }) => `${type} ${changeId}`}
        empty={
          result ? (
            <Empty title={text.noDeliveriesFiltered} />
          ) : (
            <Empty title={text.noDeliveries}>{text.noDeliveriesText}</Empty>
          )
        }
      />
    </Section>
  );
}

const columnsOf = (onRetry: (delivery: WebhookDelivery) => void): Column<WebhookDelivery>[] => {
  const words = text.deliveryColumns;
  return [
    { id: 'at', header: words.at, cell: ({ attemptedAt }) => <Instant at={attemptedAt} /> },
    {
      id: 'sequence',
      header: words.sequence,
      isNumber: true,
      cell: ({ sequence }) => sequence ?? common.noValue,
    },
    {
      id: 'type',
      header: words.type,
      cell: ({ type, isReplay }) => (isReplay ? `${type} (${text.replayed})` : type),
    },
    {
      id: 'result',
      header: words.result,
      cell: ({ result }) => <StatusBadge kind="delivery" status={result} />,
    },
    {
      id: 'response',
      header: words.response,
      cell: ({ responseStatus, reason }) =>
        [responseStatus ?? text.noResponse, reason].filter(Boolean).join(' · '),
    },
    {
      id: 'attempt',
      header: words.attempt,
      isNumber: true,
      cell: ({ attempt }) => formatCount(attempt),
    },
    {
      id: 'duration',
      header: words.duration,
      isNumber: true,
      cell: ({ durationMs }) => text.milliseconds(durationMs),
    },
    {
      id: 'id',
      header: words.id,
      cell: ({ changeId }) => (
        <CopyText text={changeId} short={changeId.slice(-6)} label={text.copyChange} />
      ),
    },
    {
      id: 'actions',
      header: words.actions,
      isNumber: true,
      cell: (delivery) =>
        canRetry(delivery) && (
          <Button
            aria-label={text.retryOf(delivery.type, delivery.changeId)}
            onClick={() => onRetry(delivery)}
          >
            {text.retry}
          </Button>
        ),
    },
  ];
};
