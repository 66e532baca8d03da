import { Send } from 'lucide-react';
import { useRef } from 'react';
import { useAction } from '../../api/actions.ts';
import { useList } from '../../api/api.queries.ts';
import type { WebhookDelivery, WebhookEndpoint } from '../../api/records.ts';
import { useUnit } from '../../api/unit.ts';
import { useRowFocus } from '../../components/detail/use-row-focus.ts';
import type { Column } from '../../components/list/column.ts';
import { FilterChip } from '../../components/list/filters.tsx';
import { RecordTable } from '../../components/list/record-table.tsx';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { IconButton } from '../../components/ui/button.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { KeepsScrollProvider } from '../../components/ui/keeps-scroll.ts';
import { Empty, ErrorNote } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { paths } from '../../format/paths.ts';
import { statusText } from '../../text/status.ts';
import { webhooksText as text } from '../../text/webhooks.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { canSendAgain, responseOf } from './webhooks.rules.ts';

const results = Object.entries(statusText.delivery).map(([value, label]) => ({ value, label }));

const refetchMs = 5000;

/**
 * The attempts of an endpoint, and a way to repeat one. The result is a filter in the address, and
 * so is the attempt that is open. New attempts appear by themselves until the person loads more.
 */
export function Deliveries({ endpoint, path }: { endpoint: WebhookEndpoint; path: string }) {
  const unit = useUnit();
  const [search, setSearch] = useSearchState({ result: results });
  const toast = useToast();
  const { result, pages, delivery } = search;
  const list = useList<WebhookDelivery>(
    'deliveries',
    `${path}/deliveries`,
    { result },
    pages ? {} : { refetchMs },
  );
  const rows = useRef<HTMLDivElement>(null);
  useRowFocus('delivery', delivery, rows);
  const sendAgain = useAction(() => toast(text.sentAgain));
  const onSendAgain = ({ changeId }: WebhookDelivery) =>
    void sendAgain.run({ method: 'POST', path: `${path}/replay`, body: { changeId } });
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
      {sendAgain.error && <ErrorNote error={sendAgain.error} />}
      <KeepsScrollProvider value={true}>
        <div ref={rows}>
          <RecordTable
            label={text.deliveries}
            list={list}
            columns={columnsOf(endpoint, onSendAgain)}
            rowId={({ id }) => id}
            rowName={({ type, changeId }) => `${type} ${changeId}`}
            rowHref={() => paths.webhook(unit.id, endpoint.id)}
            search={({ id }) => ({ ...search, delivery: id })}
            activeId={delivery}
            empty={
              result ? (
                <Empty isPart title={text.noDeliveriesFiltered} />
              ) : (
                <Empty isPart title={text.noDeliveries}>
                  {text.noDeliveriesText}
                </Empty>
              )
            }
          />
        </div>
      </KeepsScrollProvider>
      {delivery && (
        <DeliveryDialog
          key={delivery}
          id={delivery}
          endpoint={endpoint}
          path={path}
          onClose={() => setSearch({ delivery: undefined })}
        />
      )}
    </Section>
  );
}

/**
 * Few columns, because the table stands in a panel beside the list. The dialog of a delivery has
 * the rest.
 */
const columnsOf = (
  endpoint: WebhookEndpoint,
  onSendAgain: (delivery: WebhookDelivery) => void,
): Column<WebhookDelivery>[] => {
  const words = text.deliveryColumns;
  return [
    {
      id: 'type',
      header: words.type,
      cell: ({ type, sequence, isReplay, attemptedAt }) => (
        <>
          <span className="block wrap-anywhere">
            {text.delivery.titleOf(type, sequence)}
            {isReplay && ` (${text.replayed})`}
          </span>
          <span className="block font-normal text-muted">
            <Instant at={attemptedAt} style="second" />
          </span>
        </>
      ),
    },
    {
      id: 'result',
      header: words.result,
      cell: ({ result, responseStatus, reason, attempt, durationMs }) => (
        <>
          <StatusBadge kind="delivery" status={result} />
          <span className="block">{responseOf({ responseStatus, reason })}</span>
          <span className="block text-muted">{text.attemptOf(attempt, durationMs)}</span>
        </>
      ),
    },
    {
      id: 'actions',
      header: words.actions,
      isNumber: true,
      card: 'corner',
      cell: (delivery) =>
        canSendAgain(delivery, endpoint) && (
          <IconButton
            icon={Send}
            label={text.sendAgainOf(delivery.type, delivery.changeId)}
            // It lies above the link of the row.
            className="relative z-1"
            onClick={() => onSendAgain(delivery)}
          />
        ),
    },
  ];
};
