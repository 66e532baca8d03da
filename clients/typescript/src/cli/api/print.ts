import type { Invocation } from '../command.ts';
import { formatMoney } from '../money.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields that tell records apart, in the order of their columns. */
const telling = [
  ...['status', 'result', 'subjectType', 'startsAt', 'checkedInAt', 'totalAmount', 'priceAmount'],
  ...['email', 'code', 'name', 'title', 'label', 'url', 'registrationId', 'changeId'],
];

/** The columns of a record in a list. Amounts have the currency of the record or of its event. */
export const rowOf = (record: Fields, eventCurrency?: string): string[] => [
  String(record.orderNumber ?? record.id),
  ...telling.filter((name) => name in record).map((name) => cellOf(record, name, eventCurrency)),
];

function cellOf(record: Fields, name: string, eventCurrency: string | undefined): string {
  const value = record[name];
  const currency = record.currency ?? eventCurrency;
  if (typeof value === 'number' && name.endsWith('Amount') && typeof currency === 'string') {
    return formatMoney(value, currency);
  }
  return String(value ?? '–');
}

/** Whether a row needs the currency of the event. */
export const lacksCurrency = (record: Fields): boolean =>
  'priceAmount' in record && !('currency' in record);

export function printRecord({ terminal, json }: Invocation, record: unknown): void {
  terminal.print(JSON.stringify(record, null, json ? 0 : 2));
}
