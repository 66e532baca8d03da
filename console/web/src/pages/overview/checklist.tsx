import { Circle, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useRead } from '../../api/api.queries.ts';
import { useEventPath, useTicketTypes } from '../../api/event-data.ts';
import type { Form, RefundPolicy } from '../../api/records.ts';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import { Button } from '../../components/ui/button.tsx';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { TextLink } from '../../components/ui/link.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { type EventPageName, paths } from '../../format/paths.ts';
import { overviewText } from '../../text/overview.ts';

const words = overviewText.checks;

/**
 * What a draft still needs, each with a link to the page where it is done, and the button that
 * publishes.
 */
export function Checklist() {
  const event = useEvent();
  const path = useEventPath();
  const toast = useToast();
  const mayPublish = usePermission('catalog.write');
  const types = useTicketTypes();
  const form = useRead<Form>(`${path}/form`);
  const policy = useRead<{ policy: RefundPolicy }>(`${path}/refund-policy`);
  const [isConfirming, setConfirming] = useState(false);
  const publish = useAction(() => {
    setConfirming(false);
    toast(overviewText.published);
  });
  const tickets = types.data?.ticketTypes ?? [];
  const onSale = tickets.filter(({ status }) => status === 'open').length;
  const checks: { label: string; page: EventPageName; isDone: boolean; isOptional?: boolean }[] = [
    { label: words.dates, page: 'settings', isDone: event.startsAt !== null },
    { label: words.tickets, page: 'tickets', isDone: tickets.length > 0 },
    { label: words.open, page: 'tickets', isDone: onSale > 0 },
    {
      label: words.form,
      page: 'form',
      isDone: (form.data?.questions.length ?? 0) > 0,
      isOptional: true,
    },
    { label: words.policy, page: 'form', isDone: !!policy.data?.policy, isOptional: true },
  ];
  return (
    <Section
      title={overviewText.checklist}
      description={overviewText.checklistText}
      className="mb-4"
      actions={
        mayPublish && (
          <Button
            kind="primary"
            disabled={event.startsAt === null || types.isLoading}
            onClick={() => setConfirming(true)}
          >
            {overviewText.publish}
          </Button>
        )
      }
    >
      <ul className="flex flex-col gap-1.5">
        {checks.map((check) => (
          <Check key={check.label} {...check} />
        ))}
      </ul>
      <DangerDialog
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        isDangerous={false}
        title={overviewText.publishTitle(event.name)}
        consequence={overviewText.publishText(types.data ? onSale : null)}
        confirmLabel={overviewText.publishConfirm(event.name)}
        onConfirm={() => void publish.run({ method: 'PATCH', path, body: { status: 'published' } })}
        isRunning={publish.isRunning}
        error={publish.error}
      />
    </Section>
  );
}

function Check({
  label,
  page,
  isDone,
  isOptional,
}: {
  label: string;
  page: EventPageName;
  isDone: boolean;
  isOptional?: boolean;
}) {
  const unit = useUnit();
  const event = useEvent();
  const Icon = isDone ? CircleCheck : Circle;
  return (
    <li className="flex items-center gap-2">
      <Icon aria-hidden className={`size-4 ${isDone ? 'text-green' : 'text-muted'}`} />
      <TextLink href={paths.eventPage(unit.id, event.id, page)}>{label}</TextLink>
      <span className="text-muted">
        {isDone ? overviewText.isDone : isOptional ? overviewText.optional : overviewText.isOpen}
      </span>
    </li>
  );
}
