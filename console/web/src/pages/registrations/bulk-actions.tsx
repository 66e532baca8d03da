import { useState } from 'react';
import { useSend } from '../../api/actions.ts';
import { useEventPath } from '../../api/event-data.ts';
import type { Registration } from '../../api/records.ts';
import { BulkBar } from '../../components/list/bulk-bar.tsx';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { Button } from '../../components/ui/button.tsx';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { messageOf } from '../../components/ui/states.tsx';
import { common } from '../../text/common.ts';
import { registrationsText as text } from '../../text/registrations.ts';

interface Result {
  person: Registration;
  status: string | null;
  error: Error | null;
}

/**
 * Approves or rejects the selected people that are pending, one after the other, and shows the
 * result of each.
 */
export function BulkActions({
  selected,
  onClear,
}: {
  selected: readonly Registration[];
  onClear: () => void;
}) {
  const send = useSend();
  const path = useEventPath();
  const [results, setResults] = useState<Result[] | null>(null);
  const [total, setTotal] = useState(0);
  const [isRejecting, setRejecting] = useState(false);
  const pending = selected.filter(({ status }) => status === 'pending');
  const isRunning = results !== null && results.length < total;

  async function run(verb: 'approve' | 'reject'): Promise<void> {
    setTotal(pending.length);
    setResults([]);
    for (const person of pending) {
      const write = {
        method: 'POST' as const,
        path: `${path}/registrations/${person.id}/${verb}`,
      };
      const result = await send<Registration>(write).then(
        ({ status }) => ({ person, status, error: null }),
        (error: Error) => ({ person, status: null, error }),
      );
      setResults((before) => [...(before ?? []), result]);
    }
  }

  const close = () => {
    if (isRunning) return;
    setResults(null);
    onClear();
  };
  return (
    <>
      <BulkBar count={selected.length} onClear={onClear}>
        <Button kind="primary" disabled={pending.length === 0} onClick={() => void run('approve')}>
          {text.approve(pending.length)}
        </Button>
        <Button kind="danger" disabled={pending.length === 0} onClick={() => setRejecting(true)}>
          {text.reject(pending.length)}
        </Button>
      </BulkBar>
      <DangerDialog
        isOpen={isRejecting}
        onClose={() => setRejecting(false)}
        title={text.rejectManyTitle(pending.length)}
        consequence={text.rejectManyText}
        confirmLabel={text.reject(pending.length)}
        onConfirm={() => {
          setRejecting(false);
          void run('reject');
        }}
        isRunning={false}
        error={null}
      />
      <Dialog
        isOpen={results !== null}
        onClose={close}
        title={text.bulkTitle}
        description={text.bulkProgress(results?.length ?? 0, total)}
        footer={
          <Button kind="primary" isBusy={isRunning} onClick={close}>
            {common.done}
          </Button>
        }
      >
        <ul className="flex flex-col gap-2">
          {results?.map(({ person, status, error }) => (
            <li key={person.id} className="flex items-center justify-between gap-3">
              <span>{person.name ?? person.email}</span>
              {status && <StatusBadge kind="registration" status={status} />}
              {error && <span className="text-red">{messageOf(error)}</span>}
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}
