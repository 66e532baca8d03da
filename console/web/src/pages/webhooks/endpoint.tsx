import { RotateCcw, Send, Settings2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useRead } from '../../api/api.queries.ts';
import type { WebhookEndpoint } from '../../api/records.ts';
import { DetailColumns } from '../../components/detail/columns.tsx';
import { DetailError } from '../../components/detail/detail-error.tsx';
import { History } from '../../components/detail/history.tsx';
import type { OwnFact } from '../../components/detail/history-rules.ts';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { Button } from '../../components/ui/button.tsx';
import { CopyText } from '../../components/ui/copy.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { ActionMenu } from '../../components/ui/menu.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { Facts, PageHeader, Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { detailText } from '../../text/detail.ts';
import { webhooksText as text } from '../../text/webhooks.ts';
import { Deliveries } from './deliveries.tsx';
import { DisableDialog, EnableDialog, ReplayDialog, RotateDialog } from './endpoint-dialogs.tsx';
import { EditDialog } from './endpoint-form.tsx';
import { healthOf } from './webhooks.rules.ts';

const refetchMs = 5000;

/** One endpoint: its health, what can be done with it, its deliveries, and what happened to it. */
export function Endpoint({ id }: { id: string }) {
  const path = `v1/webhook-endpoints/${encodeURIComponent(id)}`;
  // The status changes by itself, when the endpoint acknowledges the ping.
  const query = useRead<WebhookEndpoint>(path, {}, { refetchMs });
  if (query.isPending) return <SkeletonRows count={4} />;
  if (!query.data) {
    return <DetailError error={query.error} onRetry={() => void query.refetch()} />;
  }
  return (
    <>
      <Header endpoint={query.data} path={path} />
      <DetailColumns timeline={<History recordId={id} facts={factsOf(query.data)} />}>
        <EndpointFacts endpoint={query.data} />
        <Deliveries endpoint={query.data} path={path} />
      </DetailColumns>
    </>
  );
}

/** When it was created and since when it fails. */
function factsOf({ createdAt, failingSince }: WebhookEndpoint): OwnFact[] {
  const words = text.history;
  return [
    { id: 'created', at: createdAt, what: words.created, saidBy: 'createWebhookEndpoint' },
    ...(failingSince === null ? [] : [{ id: 'failing', at: failingSince, what: words.failing }]),
  ];
}

type OpenDialog = 'edit' | 'rotate' | 'disable' | 'enable' | 'replay';

function Header({ endpoint, path }: { endpoint: WebhookEndpoint; path: string }) {
  const toast = useToast();
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const test = useAction(() => toast(text.tested));
  const isDisabled = endpoint.status === 'disabled';
  const close = () => setOpen(null);
  return (
    <>
      <PageHeader
        title={endpoint.url}
        badge={<StatusBadge kind="endpoint" status={healthOf(endpoint)} />}
        actions={
          <>
            {isDisabled ? (
              <Button kind="primary" onClick={() => setOpen('enable')}>
                {text.enable}
              </Button>
            ) : (
              <Button
                kind="primary"
                icon={Send}
                isBusy={test.isRunning}
                onClick={() => void test.run({ method: 'POST', path: `${path}/test` })}
              >
                {text.test}
              </Button>
            )}
            <ActionMenu
              actions={[
                { label: text.edit, icon: Settings2, onSelect: () => setOpen('edit') },
                !isDisabled && {
                  label: text.replay,
                  icon: RotateCcw,
                  onSelect: () => setOpen('replay'),
                },
                { label: text.rotate, onSelect: () => setOpen('rotate') },
                !isDisabled && {
                  label: text.disable,
                  isDanger: true,
                  onSelect: () => setOpen('disable'),
                },
              ]}
            />
          </>
        }
      />
      {test.error && <ErrorNote error={test.error} />}
      {open === 'edit' && <EditDialog endpoint={endpoint} onClose={close} />}
      {open === 'rotate' && <RotateDialog endpoint={endpoint} path={path} onClose={close} />}
      {open === 'disable' && <DisableDialog endpoint={endpoint} path={path} onClose={close} />}
      {open === 'enable' && <EnableDialog path={path} onClose={close} />}
      {open === 'replay' && <ReplayDialog path={path} onClose={close} />}
    </>
  );
}

function EndpointFacts({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, types, disabledReason, failingSince, watermark, replay, publicKey, createdAt } =
    endpoint;
  const words = text.facts;
  return (
    <Section>
      <Facts
        items={[
          [words.id, <CopyText key="id" text={id} label={detailText.copyId} />],
          [words.types, types === null ? text.everyType : types.join(', ')],
          disabledReason === null ? null : [words.reason, text.reasons[disabledReason]],
          failingSince === null
            ? null
            : [words.failingSince, <Instant key="failing" at={failingSince} />],
          [words.watermark, String(watermark)],
          replay === null ? null : [words.replay, text.replayRange(replay.from, replay.to)],
          [words.publicKey, <CopyText key="key" text={publicKey} label={text.copyKey} />],
          [words.created, <Instant key="created" at={createdAt} />],
        ]}
      />
    </Section>
  );
}
