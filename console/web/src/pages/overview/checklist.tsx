import { Circle, CircleCheck } from 'lucide-react';
import { useAction } from '../../api/actions.ts';
import { useEventPath, useTicketTypes } from '../../api/event-data.ts';
import { useRead } from '../../api/queries.ts';
import type { Form, RefundPolicy } from '../../api/records.ts';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import { Button } from '../../components/ui/button.tsx';
import { TextLink } from '../../components/ui/link.tsx';
import { ErrorNote } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { type EventPageName, paths } from '../../format/paths.ts';
import { overviewText } from '../../text/overview.ts';

const words = overviewText.checks;

/** What a draft still needs, each with a link to the page where it is done, and the button that publishes. */
export function Checklist() {
  const event = useEvent();
  const path = useEventPath();
  const toast = useToast();
  const mayPublish = usePermission('catalog.write');
  const types = useTicketTypes();
  const form = useRead<Form>(`${path}/form`);
  const policy = useRead<{ policy: RefundPolicy }>(`${path}/refund-policy`);
  const publish = useAction(() => toast(overviewText.published));
  const tickets = types.data?.ticketTypes ?? [];
  const checks: { label: string; page: EventPageName; isDone: boolean; isOptional?: boolean }[] = [
    { label: words.dates, page: 'settings', isDone: event.startsAt !== null },
    { label: words.tickets, page: 'tickets', isDone: tickets.length > 0 },
    { label: words.open, page: 'tickets', isDone: tickets.some(({ status }) => status === 'open') },
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
            isBusy={publish.isRunning}
            disabled={event.startsAt === null}
            onClick={() =>
              void publish.run({ method: 'PATCH', path, body: { status: 'published' } })
            }
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
      {publish.error && <ErrorNote error={publish.error} />}
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
