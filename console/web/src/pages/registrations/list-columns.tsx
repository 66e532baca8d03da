import type { Form, Registration, TicketType } from '../../api/records.ts';
import { useEvent, useMayReadEmails, usePermission } from '../../api/unit.ts';
import type { Column } from '../../components/list/column.ts';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { Email } from '../../components/ui/email.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { common } from '../../text/common.ts';
import { registrationListText } from '../../text/registration-list.ts';
import { registrationsText as text } from '../../text/registrations.ts';
import { checkedInColumn, columnsOf, orderColumns, purposeFiles } from './export-columns.ts';
import { answerText, isComplimentary } from './list.rules.ts';
import { partsOf } from './registrations.rules.ts';
import { CheckedIn, OrderNumber } from './row-cells.tsx';

type Types = readonly TicketType[];

const ticketOf = (types: Types, { registrationTypeId: id }: Registration): string =>
  id === null ? common.noValue : (types.find((type) => type.id === id)?.name ?? id);

/**
 * The columns of the list. Emails, orders, check-ins and answers are columns only for the roles that
 * read them.
 */
export function useListColumns(
  rows: readonly Registration[],
  types: Types,
  questions: Form['questions'],
): Column<Registration>[] {
  const mayReadEmails = useMayReadEmails();
  const mayReadOrders = usePermission('orders.list');
  const mayReadCheckins = usePermission('checkins.read');
  const people = partsOf(rows.map(({ id }) => id));
  const orders = partsOf(rows.flatMap(({ orderId }) => orderId ?? []));
  const words = text.columns;
  const email: Column<Registration> = {
    id: 'email',
    header: words.email,
    isForWide: true,
    breaks: 'words',
    card: 'line',
    cell: ({ email }) => (email === undefined ? common.noValue : <Email address={email} />),
  };
  const order: Column<Registration> = {
    id: 'order',
    header: words.order,
    isForWide: true,
    cell: (row) => {
      if (row.orderId !== null)
        return <OrderNumber id={row.orderId} orderIds={orders.get(row.orderId) ?? []} />;
      if (!isComplimentary(row, types)) return common.noValue;
      return (
        <span className="text-muted" title={registrationListText.complimentaryHint}>
          {registrationListText.complimentary}
        </span>
      );
    },
  };
  const checkedIn: Column<Registration> = {
    id: 'checkedIn',
    header: words.checkedIn,
    isForWide: true,
    cell: ({ id }) => <CheckedIn id={id} registrationIds={people.get(id) ?? []} />,
  };
  const answers = questions.map(
    ({ id, label }): Column<Registration> => ({
      id: `answer:${id}`,
      header: label,
      isOptional: true,
      breaks: 'anywhere',
      cell: ({ responses }) => answerText(responses?.[id]),
    }),
  );
  return [
    {
      id: 'name',
      header: words.name,
      sortBy: 'name',
      breaks: 'anywhere',
      cell: ({ name }) => name ?? text.unnamed,
    },
    ...(mayReadEmails ? [email] : []),
    {
      id: 'ticket',
      header: words.ticket,
      breaks: 'words',
      cell: (row) => ticketOf(types, row),
    },
    {
      id: 'status',
      header: words.status,
      sortBy: 'status',
      card: 'corner',
      cell: ({ status }) => <StatusBadge kind="registration" status={status} />,
    },
    ...(mayReadOrders ? [order] : []),
    ...(mayReadCheckins ? [checkedIn] : []),
    {
      id: 'registered',
      header: words.registered,
      sortBy: 'registered',
      isForWide: true,
      cell: ({ registeredAt }) => <Instant at={registeredAt} style="day" />,
    },
    ...(mayReadEmails ? answers : []),
    {
      id: 'badge',
      header: words.badge,
      isOptional: true,
      cell: ({ checkinCode }) => <code className="text-xs">{checkinCode}</code>,
    },
  ];
}

/**
 * The files of the list. Emails, orders, answers and the times of check-ins are in those of the roles
 * that read them.
 */
export function useFiles(types: Types, questions: Form['questions']) {
  const { id: eventId, publicId, timezone: zone } = useEvent();
  const hasEmails = useMayReadEmails();
  const mayReadOrders = usePermission('orders.list');
  const mayReadCheckins = usePermission('checkins.read');
  const byTicket = (row: Registration) => ticketOf(types, row);
  return {
    fileName: `registrations-${publicId}.csv`,
    columns: [
      ...columnsOf({ ticketOf: byTicket, hasEmails, zone }),
      ...(mayReadOrders ? [orderColumns(eventId, questions)] : []),
      ...(mayReadCheckins ? [checkedInColumn(eventId, zone)] : []),
    ],
    others: mayReadOrders
      ? purposeFiles({ eventId, publicId, ticketOf: byTicket, questions, labels: text.files })
      : [],
  };
}
