import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useEventPath, useTicketTypes } from '../../api/event-data.ts';
import { useEvent } from '../../api/unit.ts';
import { overviewText } from '../../text/overview.ts';
import { Button } from '../ui/button.tsx';
import { DangerDialog } from '../ui/danger-dialog.tsx';
import { useToast } from '../ui/toast.tsx';

/** Publishes a draft, after it has said what buyers can order then. */
export function PublishButton() {
  const event = useEvent();
  const path = useEventPath();
  const toast = useToast();
  const types = useTicketTypes();
  const [isConfirming, setConfirming] = useState(false);
  const publish = useAction(() => {
    setConfirming(false);
    toast(overviewText.published);
  });
  const onSale = types.data?.ticketTypes.filter(({ status }) => status === 'open').length ?? null;
  return (
    <>
      <Button
        kind="primary"
        disabled={event.startsAt === null || types.isLoading}
        onClick={() => setConfirming(true)}
      >
        {overviewText.publish}
      </Button>
      <DangerDialog
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        isDangerous={false}
        title={overviewText.publishTitle(event.name)}
        consequence={overviewText.publishText(onSale)}
        confirmLabel={overviewText.publishConfirm(event.name)}
        onConfirm={() => void publish.run({ method: 'PATCH', path, body: { status: 'published' } })}
        isRunning={publish.isRunning}
        error={publish.error}
      />
    </>
  );
}
