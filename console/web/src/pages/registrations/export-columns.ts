import type { Checkin, Form, FoundOrder, Registration } from '../../api/records.ts';
import {
  type CsvColumn,
  type ExportFile,
  type ReadColumns,
  timeCell,
  timeColumn,
  timeHeader,
} from '../../components/list/csv-columns.ts';
import { common } from '../../text/common.ts';
import { fileText as text } from '../../text/files.ts';
import { statusText } from '../../text/status.ts';
import { divideIds } from './registrations.rules.ts';

type Questions = Form['questions'];
type TicketOf = (row: Registration) => string;

/**
 * The columns that need no other reads. The file has the id of the order also without its number.
 */
export const columnsOf = ({
  ticketOf,
  hasEmails,
  zone,
}: {
  ticketOf: TicketOf;
  hasEmails: boolean;
  zone: string;
}): readonly CsvColumn<Registration>[] => [
  { header: text.id, value: ({ id }) => id },
  { header: text.name, value: ({ name }) => name },
  ...(hasEmails ? [{ header: text.email, value: ({ email }: Registration) => email }] : []),
  { header: text.ticket, value: ticketOf },
  { header: text.status, value: ({ status }) => statusText.registration[status] },
  { header: text.orderId, value: ({ orderId }) => orderId },
  { header: text.badge, value: ({ checkinCode }) => checkinCode },
  timeColumn(text.registered, zone, ({ registeredAt }) => registeredAt),
];

/** An answer as a person reads it. */
function answerText(answer: unknown): string {
  if (answer === undefined || answer === null) return '';
  if (typeof answer === 'boolean') return answer ? common.yes : common.no;
  return Array.isArray(answer) ? answer.join(', ') : String(answer);
}

/**
 * The number of the order and the answers to the form, read in parts of ids. The answers of a
 * registration with an order are those of its order, unless it has its own.
 */
export const orderColumns = (
  eventId: string,
  questions: Questions,
  { hasNumber = true }: { hasNumber?: boolean } = {},
): ReadColumns<Registration> => ({
  headers: [...(hasNumber ? [text.order] : []), ...questions.map(({ label }) => label)],
  readValues: async (rows, read) => {
    const orders = new Map<string, FoundOrder>();
    for (const orderIds of divideIds(rows.flatMap(({ orderId }) => orderId ?? []))) {
      const found = await read<{ orders: FoundOrder[] }>('order.find', { eventId, orderIds });
      for (const order of found.orders) orders.set(order.id, order);
    }
    return ({ orderId, responses }) => {
      const order = orderId === null ? undefined : orders.get(orderId);
      const answers = responses ?? order?.responses ?? {};
      return [
        ...(hasNumber ? [order?.orderNumber] : []),
        ...questions.map(({ id }) => answerText(answers[id])),
      ];
    };
  },
});

/** When the person has passed the entrance of the event, read in parts of ids. */
export const checkedInColumn = (eventId: string, zone: string): ReadColumns<Registration> => ({
  headers: [timeHeader(text.checkedIn, zone)],
  readValues: async (rows, read) => {
    const times = new Map<string, string>();
    for (const registrationIds of divideIds(rows.map(({ id }) => id))) {
      const input = { registrationIds, subjectId: eventId };
      const { checkins } = await read<{ checkins: Checkin[] }>('checkin.find', input);
      for (const { registrationId, checkedInAt } of checkins) {
        times.set(registrationId, checkedInAt);
      }
    }
    return ({ id }) => [timeCell(times.get(id) ?? null, zone)];
  },
});

const isConfirmed = ({ status }: Registration): boolean => status === 'confirmed';

type Rows = Parameters<NonNullable<ExportFile<Registration>['summarize']>>[1];

/** How often each answer was given: the question, the answer, the number of people. */
export function countAnswers(questions: Questions, headers: readonly string[], rows: Rows) {
  const lines = questions.flatMap(({ label }, place) => {
    // The answers are the last columns. A question may have the name of another column.
    const column = headers.length - questions.length + place;
    const counts = new Map<string, number>();
    for (const row of rows) {
      const answer = String(row[column] ?? '');
      counts.set(answer, (counts.get(answer) ?? 0) + 1);
    }
    return [...counts]
      .toSorted(
        ([one, times], [other, otherTimes]) => otherTimes - times || one.localeCompare(other),
      )
      .map(([answer, count]) => [label, answer || text.noAnswer, count]);
  });
  return [[text.question, text.answer, text.people], ...lines, []];
}

/**
 * The files for a purpose, of those who are confirmed: for the badge printer, and with the answers
 * to the form for catering.
 */
export function purposeFiles({
  eventId,
  publicId,
  ticketOf,
  questions,
  labels,
}: {
  eventId: string;
  publicId: string;
  ticketOf: TicketOf;
  questions: Questions;
  labels: { badges: string; catering: string };
}): ExportFile<Registration>[] {
  const name = { header: text.name, value: ({ name: of }: Registration) => of };
  const ticket = { header: text.ticket, value: ticketOf };
  const answers = orderColumns(eventId, questions, { hasNumber: false });
  const badge = { header: text.badge, value: ({ checkinCode }: Registration) => checkinCode };
  const badges = {
    label: labels.badges,
    fileName: `badges-${publicId}.csv`,
    columns: [name, ticket, badge, ...(questions.length > 0 ? [answers] : [])],
    isIncluded: isConfirmed,
  };
  const catering = {
    label: labels.catering,
    fileName: `catering-${publicId}.csv`,
    columns: [name, ticket, answers],
    isIncluded: isConfirmed,
    summarize: (headers: readonly string[], rows: Rows) => countAnswers(questions, headers, rows),
  };
  return questions.length > 0 ? [badges, catering] : [badges];
}
