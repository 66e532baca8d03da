import type { ReactNode } from 'react';
import { useAction } from '../../api/actions.ts';
import { useRead } from '../../api/api.queries.ts';
import type { WebhookDeliveryDetail, WebhookEndpoint } from '../../api/records.ts';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { Button } from '../../components/ui/button.tsx';
import { CopyText } from '../../components/ui/copy.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { Facts } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { formatCount } from '../../format/count.ts';
import { common } from '../../text/common.ts';
import { webhooksText as text } from '../../text/webhooks.ts';
import {
  byteLength,
  canSendAgain,
  mayBeCut,
  readableJson,
  responseBodyState,
} from './webhooks.rules.ts';

const words = text.delivery;

/** One attempt: what was sent, and what the endpoint has responded. */
export function DeliveryDialog({
  id,
  endpoint,
  path,
  onClose,
}: {
  id: string;
  endpoint: WebhookEndpoint;
  /** The path of the endpoint. */
  path: string;
  onClose: () => void;
}) {
  const { data, isPending, error, refetch } = useRead<WebhookDeliveryDetail>(
    `${path}/deliveries/${encodeURIComponent(id)}`,
  );
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={data ? words.titleOf(data.type, data.sequence) : words.title}
      footer={
        data &&
        data.request.body !== null &&
        canSendAgain(data, endpoint) && <SendAgain delivery={data} path={path} />
      }
    >
      {isPending && <SkeletonRows count={6} />}
      {!data && error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data && (
        <div className="flex flex-col gap-5">
          <Summary delivery={data} />
          <Request request={data.request} />
          <Response delivery={data} />
        </div>
      )}
    </Dialog>
  );
}

function SendAgain({ delivery, path }: { delivery: WebhookDeliveryDetail; path: string }) {
  const toast = useToast();
  const { changeId } = delivery;
  const action = useAction(() => toast(text.sentAgain));
  return (
    <>
      {action.error && <ErrorNote error={action.error} />}
      <Button
        kind="primary"
        isBusy={action.isRunning}
        onClick={() =>
          void action.run({ method: 'POST', path: `${path}/replay`, body: { changeId } })
        }
      >
        {text.sendAgain}
      </Button>
    </>
  );
}

function Summary({ delivery }: { delivery: WebhookDeliveryDetail }) {
  const { result, attemptedAt, attempt, isReplay, changeId } = delivery;
  const headers = text.deliveryColumns;
  const count = formatCount(attempt);
  return (
    <Facts
      items={[
        [headers.result, <StatusBadge key="result" kind="delivery" status={result} />],
        [headers.at, <Instant key="at" at={attemptedAt} style="second" />],
        [headers.attempt, isReplay ? `${count} (${text.replayed})` : count],
        [headers.id, <CopyText key="id" text={changeId} label={text.copyChange} />],
      ]}
    />
  );
}

function Request({ request }: { request: WebhookDeliveryDetail['request'] }) {
  const { url, headers, body } = request;
  return (
    <Part title={words.request}>
      <p className="font-mono text-xs wrap-anywhere">{words.sentTo(url)}</p>
      <section aria-label={words.headers} className="font-mono text-xs">
        <Facts items={Object.entries(headers)} />
      </section>
      <p className="text-muted">{words.unsigned}</p>
      {body === null ? (
        <p className="text-muted">{words.changeExpired}</p>
      ) : (
        <Body label={words.requestBody} shown={readableJson(body)} body={body} />
      )}
    </Part>
  );
}

function Response({ delivery }: { delivery: WebhookDeliveryDetail }) {
  const { responseStatus, reason, durationMs, responseContentType, responseBody } = delivery;
  const state = responseBodyState(delivery);
  return (
    <Part title={words.response}>
      <Facts
        items={[
          [words.status, responseStatus === null ? text.noResponse : String(responseStatus)],
          reason === null ? null : [words.reason, text.failures[reason] ?? reason],
          [text.deliveryColumns.duration, text.milliseconds(durationMs)],
          state === 'no_response'
            ? null
            : [words.contentType, responseContentType ?? common.noValue],
        ]}
      />
      {state === 'empty' && <p className="text-muted">{words.bodyEmpty}</p>}
      {state === 'shown' && responseBody !== null && (
        <>
          <Body label={words.responseBody} shown={responseBody} body={responseBody} />
          {mayBeCut(responseBody) && <p className="text-muted">{words.bodyCut}</p>}
        </>
      )}
    </Part>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="flex flex-col gap-2">
    <h3 className="border-b border-line pb-1 font-semibold">{title}</h3>
    {children}
  </section>
);

/**
 * A body as text, also if it is that of an endpoint, and a button that copies it as it was sent.
 */
const Body = ({ label, shown, body }: { label: string; shown: string; body: string }) => (
  <div>
    <div className="flex justify-end">
      <CopyText
        text={body}
        short={words.bytes(formatCount(byteLength(body)))}
        label={words.copyBody}
      />
    </div>
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      className="max-h-72 overflow-auto rounded-md bg-subtle"
    >
      <pre dir="ltr" className="p-3 text-xs whitespace-pre-wrap wrap-anywhere">
        {shown}
      </pre>
    </section>
  </div>
);
