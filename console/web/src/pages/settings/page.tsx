import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useCommandRead } from '../../api/api.queries.ts';
import { useEventPath } from '../../api/event-data.ts';
import type { DoorRules, EventLimits } from '../../api/records.ts';
import { useEvent, usePermission } from '../../api/unit.ts';
import { EventStatus } from '../../components/event/event-status.tsx';
import { PublishButton } from '../../components/event/publish-button.tsx';
import { Button } from '../../components/ui/button.tsx';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { SkeletonRows } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { duplicateText } from '../../text/duplicate.ts';
import { settingsText as text } from '../../text/settings.ts';
import { CancelEvent } from './cancel-event.tsx';
import { CancellationProgress } from './cancellation-progress.tsx';
import { DuplicateDialog } from './duplicate-dialog.tsx';
import { SettingsForm } from './settings-form.tsx';

/** What holds for the whole event: its data, the rules of its sale and its doors, and its end. */
export function SettingsPage() {
  const event = useEvent();
  const [isDuplicating, setDuplicating] = useState(false);
  const mayCancel = usePermission('money');
  const maySeeOrders = usePermission('orders.list');
  const limits = useCommandRead<EventLimits>('event.getLimits', { eventId: event.id });
  const doorRules = useCommandRead<DoorRules>('event.getDoorRules', { eventId: event.id });
  const isPending = limits.isPending || doorRules.isPending;
  return (
    <div className="mx-auto flex max-w-4xl flex-col gap-4">
      <PageHeader
        title={text.title}
        badge={<EventStatus event={event} />}
        actions={<Button onClick={() => setDuplicating(true)}>{duplicateText.action}</Button>}
      />
      <Section>
        {event.cancelledAt !== null && <p className="mb-4 text-muted">{text.readOnly}</p>}
        {isPending ? <SkeletonRows /> : <SettingsForm limits={limits} doorRules={doorRules} />}
      </Section>
      {/* The form is higher than its placeholder. */}
      {!isPending && (
        <>
          {event.status !== 'archived' && <Lifecycle />}
          {event.cancelledAt !== null && maySeeOrders && <CancellationProgress />}
          {event.cancelledAt === null && mayCancel && <CancelEvent />}
        </>
      )}
      {isDuplicating && <DuplicateDialog onClose={() => setDuplicating(false)} />}
    </div>
  );
}

/** Publishes a draft, and archives. */
function Lifecycle() {
  const event = useEvent();
  const path = useEventPath();
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const action = useAction(() => {
    setOpen(false);
    toast(text.archived);
  });
  return (
    <Section title={text.lifecycle} description={text.lifecycleText[event.status]}>
      <div className="flex flex-wrap gap-2">
        {event.status === 'draft' && <PublishButton />}
        <Button kind="danger" onClick={() => setOpen(true)}>
          {text.archive}
        </Button>
      </div>
      <DangerDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={text.archiveTitle(event.name)}
        consequence={text.archiveText}
        confirmLabel={text.archiveConfirm(event.name)}
        onConfirm={() => void action.run({ method: 'POST', path: `${path}/archive` })}
        isRunning={action.isRunning}
        error={action.error}
        {...(event.status === 'published' && { typedName: event.name })}
      />
    </Section>
  );
}
