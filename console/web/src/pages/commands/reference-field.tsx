import { useStore } from '@tanstack/react-form';
import { useEffect, useId, useState } from 'react';
import { type FoundRecord, useRecordSearch } from '../../api/record-search.ts';
import { type ControlProps, Field, type FieldProps } from '../../components/form/field.tsx';
import { useFormOfField } from '../../components/form/use-record-form.ts';
import { classes } from '../../components/ui/classes.ts';
import { commandsText } from '../../text/text.commands.ts';
import { labelOf } from './labels.ts';

/**
 * The id of a record of one of the kinds `to`. It is found by a part of its name; an id can be
 * typed.
 */
export function ReferenceField({ to, ...field }: FieldProps & { to: readonly string[] }) {
  return <Field {...field}>{(control) => <RecordPicker to={to} control={control} />}</Field>;
}

const typingPauseMs = 150;

/** `text`, after it has not changed for 150 ms. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), typingPauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

function RecordPicker({ to, control }: { to: readonly string[]; control: ControlProps }) {
  const form = useFormOfField();
  const eventId = useStore(form.api.store, ({ values }) =>
    typeof values.eventId === 'string' && values.eventId !== '' ? values.eventId : null,
  );
  const value = typeof control.value === 'string' ? control.value : '';
  const [isOpen, setOpen] = useState(false);
  const [index, setIndex] = useState(0);
  const [chosen, setChosen] = useState<FoundRecord | null>(null);
  const listId = useId();
  const text = chosen?.id === value ? chosen.label : value;
  // While a record is chosen, the list offers all others.
  const query = usePaused(chosen?.id === value ? '' : value.trim());
  const isNeeded = isOpen || (value !== '' && chosen === null);
  const records = useRecordSearch(to, query, { eventId, isEnabled: isNeeded });
  // A value that was not chosen here, such as that of the address, gets its name as soon as it is
  // known.
  const named = records.find(({ id }) => id === value);
  if (named && chosen?.id !== value) setChosen(named);
  const active = Math.min(index, records.length - 1);

  const choose = (record: FoundRecord) => {
    setChosen(record);
    control.onChange(record.id);
    setOpen(false);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const record = records[active];
    if (event.key === 'ArrowDown' && !isOpen) setOpen(true);
    else if (event.key === 'ArrowDown') setIndex(Math.min(active + 1, records.length - 1));
    else if (event.key === 'ArrowUp' && isOpen) setIndex(Math.max(0, active - 1));
    else if (event.key === 'Enter' && isOpen && record) choose(record);
    else if (event.key === 'Escape' && isOpen) setOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isVisible = isOpen && records.length > 0;
  return (
    <div className="relative">
      <input
        {...control.attributes}
        role="combobox"
        aria-expanded={isVisible}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isVisible ? `${listId}-${active}` : undefined}
        autoComplete="off"
        className="control w-full"
        placeholder={commandsText.pick(to.length > 3 ? [] : to.map(labelOf))}
        value={text}
        onFocus={(event) => event.currentTarget.select()}
        onClick={() => setOpen(true)}
        onChange={(event) => {
          setChosen(null);
          control.onChange(event.target.value);
          setIndex(0);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          setOpen(false);
          control.onBlur();
        }}
      />
      {chosen?.id === value && <p className="mt-0.5 font-mono text-xs text-muted">{value}</p>}
      <div
        id={listId}
        role="listbox"
        aria-label={commandsText.choices}
        hidden={!isVisible}
        className="absolute inset-x-0 z-20 mt-1 max-h-72 overflow-y-auto rounded-md border border-line bg-surface py-1 shadow-lg"
      >
        {records.map((record, position) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
          <div
            key={record.id}
            id={`${listId}-${position}`}
            role="option"
            tabIndex={-1}
            aria-selected={position === active}
            // The input keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(record)}
            className={classes(
              'flex min-h-8 cursor-pointer items-center gap-3 px-3 text-sm hover:bg-hover touch:min-h-11',
              position === active && 'bg-accent-soft',
            )}
          >
            <span className="min-w-0 flex-1 truncate">{record.label}</span>
            <span className="max-w-52 truncate text-xs text-muted">
              {record.hint ?? record.id.slice(0, record.id.indexOf('_'))}
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}
