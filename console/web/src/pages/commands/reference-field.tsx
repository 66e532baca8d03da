import { useStore } from '@tanstack/react-form';
import { useCommandRead, useRead } from '../../api/queries.ts';
import { useOptionalUnit } from '../../api/unit.ts';
import { Field, type FieldProps } from '../../components/form/field.tsx';
import { useFormOfField } from '../../components/form/use-record-form.ts';

/** The list of the API with the records of a kind, below the event, and its key. */
const lists: Record<string, readonly [string, string]> = {
  ticket_type: ['ticket-types', 'ticketTypes'],
  tt: ['ticket-types', 'ticketTypes'],
  addon: ['addons', 'addons'],
  registration: ['registrations', 'registrations'],
  reg: ['registrations', 'registrations'],
  order: ['orders', 'orders'],
  ord: ['orders', 'orders'],
  redemption_code: ['redemption-codes', 'redemptionCodes'],
  code: ['redemption-codes', 'redemptionCodes'],
  venue: ['venues', 'venues'],
  ven: ['venues', 'venues'],
  session: ['sessions', 'sessions'],
  ses: ['sessions', 'sessions'],
  speaker: ['speakers', 'speakers'],
  spk: ['speakers', 'speakers'],
  exhibitor: ['exhibitors', 'exhibitors'],
  exh: ['exhibitors', 'exhibitors'],
};

type Named = Record<'id' | 'name' | 'title' | 'email' | 'orderNumber' | 'code', string | undefined>;

const nameOf = (record: Named): string =>
  record.name ?? record.title ?? record.email ?? record.orderNumber ?? record.code ?? '';

/** The id of a record. Records of the chosen event are suggested by name; any id can be typed. */
export function ReferenceField({ to, ...field }: FieldProps & { to: string }) {
  const suggestions = useSuggestions(to);
  const listId = `suggestions-${field.name.replace(/[^\w-]/g, '-')}`;
  return (
    <Field {...field}>
      {({ value, onChange, onBlur, attributes }) => (
        <>
          <input
            {...attributes}
            list={listId}
            autoComplete="off"
            className="control w-full font-mono text-sm"
            value={typeof value === 'string' ? value : ''}
            onChange={(event) => onChange(event.target.value)}
            onBlur={onBlur}
          />
          <datalist id={listId}>
            {suggestions.map((record) => (
              <option key={record.id} value={record.id}>
                {nameOf(record)}
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

function useSuggestions(to: string): Named[] {
  const unit = useOptionalUnit();
  const form = useFormOfField();
  const eventId = useStore(form.api.store, (state) => state.values.eventId);
  const hasEvent = unit !== null && typeof eventId === 'string' && eventId !== '';
  const [folder, key] = lists[to] ?? ['', ''];
  const isEvent = to === 'event' || to === 'evt';
  const events = useRead<{ events: Named[] }>(
    'v1/events',
    { limit: 100 },
    { isEnabled: isEvent && unit !== null },
  );
  const records = useRead<Record<string, Named[]>>(
    `v1/events/${encodeURIComponent(String(eventId))}/${folder}`,
    { limit: 100 },
    { isEnabled: hasEvent && folder !== '' },
  );
  const perks = useCommandRead<{ perks: Named[] }>(
    'perk.list',
    { eventId },
    { isEnabled: hasEvent && to === 'perk' },
  );
  if (isEvent) return events.data?.events ?? [];
  if (to === 'perk') return perks.data?.perks ?? [];
  return records.data?.[key] ?? [];
}
