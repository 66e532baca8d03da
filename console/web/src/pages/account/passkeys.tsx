import { useQueryClient } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { type Passkey, usePasskeys } from '../../api/account.ts';
import { useRun } from '../../api/actions.ts';
import { useClient } from '../../api/client.ts';
import { registerPasskey } from '../../api/passkeys.ts';
import type { Column } from '../../components/list/column.ts';
import { Cards, Table } from '../../components/list/table.tsx';
import { Button } from '../../components/ui/button.tsx';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { ErrorNote, messageOf, SkeletonRows } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { useIsPhone } from '../../components/ui/use-media.ts';
import { formatInstant, viewerZone } from '../../format/time.ts';
import { accountText as text } from '../../text/account.ts';

/** The passkeys of the operator. The last one stays, because nothing else signs the operator in. */
export function Passkeys() {
  const query = usePasskeys(true);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const Rows = useIsPhone() ? Cards : Table;
  const passkeys = query.data?.passkeys ?? [];
  return (
    <Section title={text.passkeys} description={text.passkeysText} actions={<AddButton />} isFlush>
      {query.isPending && <SkeletonRows count={2} />}
      {query.error && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
      {passkeys.length > 0 && (
        <Rows
          label={text.passkeys}
          columns={columnsOf(passkeys.length > 1 ? setRemoved : null)}
          rows={passkeys}
          rowId={({ id }) => id}
          rowName={nameOf}
        />
      )}
      {removed && <RemoveDialog passkey={removed} onClose={() => setRemoved(null)} />}
    </Section>
  );
}

/** Names a passkey with its minute: a person often adds those of all devices on one day. */
const nameOf = ({ createdAt }: Passkey): string =>
  text.removeName(formatInstant(createdAt, viewerZone()));

const columnsOf = (onRemove: ((passkey: Passkey) => void) | null): Column<Passkey>[] => [
  {
    id: 'created',
    header: text.passkeyColumns.created,
    cell: ({ createdAt }) => <Instant at={createdAt} />,
  },
  {
    id: 'used',
    header: text.passkeyColumns.used,
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Instant at={lastUsedAt} /> : text.neverUsed),
  },
  {
    id: 'actions',
    header: text.passkeyColumns.actions,
    isNumber: true,
    card: 'end',
    cell: (passkey) =>
      onRemove ? (
        <Button aria-label={nameOf(passkey)} onClick={() => onRemove(passkey)}>
          {text.removePasskey}
        </Button>
      ) : (
        <span className="whitespace-normal text-muted">{text.lastPasskey}</span>
      ),
  },
];

function AddButton() {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const [isRunning, setRunning] = useState(false);
  const add = async () => {
    setRunning(true);
    try {
      await registerPasskey(client);
      await queries.invalidateQueries({ queryKey: ['passkeys'] });
      toast(text.passkeyAdded);
    } catch (error) {
      toast(messageOf(error as Error));
    } finally {
      setRunning(false);
    }
  };
  return (
    <Button icon={Fingerprint} isBusy={isRunning} onClick={() => void add()}>
      {text.addPasskey}
    </Button>
  );
}

function RemoveDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const removal = useRun(async () => {
    const body = { id: passkey.id };
    await client.request({ method: 'POST', path: '/api/passkeys/remove', body });
    await queries.invalidateQueries({ queryKey: ['passkeys'] });
    toast(text.passkeyRemoved);
    onClose();
  });
  return (
    <DangerDialog
      isOpen
      onClose={onClose}
      title={text.removeTitle}
      consequence={text.removeText}
      confirmLabel={nameOf(passkey)}
      onConfirm={() => void removal.run()}
      isRunning={removal.isRunning}
      error={removal.error}
    />
  );
}
