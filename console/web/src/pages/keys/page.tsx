import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { useAction, useSend } from '../../api/actions.ts';
import { useCommandRead } from '../../api/queries.ts';
import { RecordForm } from '../../components/form/record-form.tsx';
import { DateTimeField, TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import type { Column } from '../../components/list/column.ts';
import { Cards, Table } from '../../components/list/table.tsx';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { Button } from '../../components/ui/button.tsx';
import { CopyText } from '../../components/ui/copy.tsx';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { Empty, ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { useIsPhone } from '../../components/ui/use-media.ts';
import { now } from '../../format/clock.ts';
import { formatCount } from '../../format/count.ts';
import { formatInstant, viewerZone } from '../../format/time.ts';
import { common } from '../../text/common.ts';
import { keysText as text } from '../../text/keys.ts';

interface ApiKey {
  id: string;
  name: string;
  displayPrefix: string;
  rateLimitPerMinute: number | null;
  expiresAt: string | null;
  revokedAt: string | null;
  createdAt: string;
}

function statusOf({ revokedAt, expiresAt }: ApiKey): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now().getTime() ? 'expired' : 'active';
}

/** The API keys of the business unit. */
export function KeysPage() {
  const query = useCommandRead<{ keys: ApiKey[] }>('key.list', {});
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const Rows = useIsPhone() ? Cards : Table;
  const create = (
    <Button kind="primary" icon={Plus} onClick={() => setCreating(true)}>
      {text.create}
    </Button>
  );
  const keys = query.data?.keys.toReversed() ?? [];
  return (
    <>
      <PageHeader title={text.title} description={text.description} actions={create} />
      <Section isFlush>
        {query.isPending && <SkeletonRows count={3} />}
        {query.error && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
        {query.data && keys.length === 0 && (
          <Empty icon={KeyRound} title={text.empty} action={create}>
            {text.emptyText}
          </Empty>
        )}
        {keys.length > 0 && (
          <Rows
            label={text.title}
            columns={columnsOf(setRevoked)}
            rows={keys}
            rowId={({ id }) => id}
            rowName={({ name }) => name}
          />
        )}
      </Section>
      {isCreating && (
        <CreateDialog
          onClose={() => setCreating(false)}
          onCreated={(created) => {
            setCreating(false);
            setSecret(created);
          }}
        />
      )}
      <Dialog
        isOpen={secret !== null}
        onClose={() => setSecret(null)}
        title={text.secretTitle}
        description={text.secretText}
        footer={<Button onClick={() => setSecret(null)}>{common.done}</Button>}
      >
        {secret && (
          <CopyText
            text={secret}
            label={text.copySecret}
            className="w-full bg-subtle p-3 !text-sm"
          />
        )}
      </Dialog>
      {revoked && <RevokeDialog apiKey={revoked} onClose={() => setRevoked(null)} />}
    </>
  );
}

const columnsOf = (onRevoke: (key: ApiKey) => void): Column<ApiKey>[] => {
  const words = text.columns;
  return [
    { id: 'name', header: words.name, cell: ({ name }) => name },
    {
      id: 'prefix',
      header: words.prefix,
      cell: ({ displayPrefix }) => <code className="text-xs">{displayPrefix}</code>,
    },
    {
      id: 'status',
      header: words.status,
      cell: (key) => <StatusBadge kind="key" status={statusOf(key)} />,
    },
    {
      id: 'limit',
      header: words.limit,
      isNumber: true,
      cell: ({ rateLimitPerMinute }) =>
        rateLimitPerMinute === null ? text.defaultLimit : formatCount(rateLimitPerMinute),
    },
    { id: 'expires', header: words.expires, cell: ({ expiresAt }) => <Instant at={expiresAt} /> },
    {
      id: 'created',
      header: words.created,
      cell: ({ createdAt }) => <Instant at={createdAt} style="day" />,
    },
    {
      id: 'actions',
      header: words.actions,
      isNumber: true,
      cell: (key) =>
        key.revokedAt === null && (
          <Button aria-label={text.revokeConfirm(key.name)} onClick={() => onRevoke(key)}>
            {text.revoke}
          </Button>
        ),
    },
  ];
};

function CreateDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (secret: string) => void;
}) {
  const send = useSend();
  const form = useRecordForm<{ name: string; expiresAt: string | null }>(
    { name: '', expiresAt: null },
    async (values) => {
      const { secret } = await send<{ secret: string }>({
        command: 'key.create',
        input: values as never,
      });
      onCreated(secret);
    },
  );
  return (
    <Dialog isOpen onClose={onClose} title={text.create}>
      <RecordForm form={form} submitLabel={text.createButton} isInDialog>
        <TextField name="name" label={text.name} help={text.nameHelp} required maxLength={200} />
        <DateTimeField
          name="expiresAt"
          label={text.expiresAt}
          help={text.expiresHelp}
          zone={viewerZone()}
        />
      </RecordForm>
    </Dialog>
  );
}

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const toast = useToast();
  const action = useAction<ApiKey>(({ name, revokedAt }) => {
    toast(text.revoked(name, formatInstant(revokedAt ?? now().toISOString(), viewerZone())));
    onClose();
  });
  return (
    <DangerDialog
      isOpen
      onClose={onClose}
      title={text.revokeTitle(apiKey.name)}
      consequence={text.revokeText}
      confirmLabel={text.revokeConfirm(apiKey.name)}
      onConfirm={() => void action.run({ command: 'key.revoke', input: { id: apiKey.id } })}
      isRunning={action.isRunning}
      error={action.error}
    />
  );
}
