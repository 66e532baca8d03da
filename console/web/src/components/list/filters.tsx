import { Search, X } from 'lucide-react';
import {
  type ChangeEvent,
  createContext,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { isReversed } from '../../format/time.ts';
import { common } from '../../text/common.ts';
import { isDayComplete } from '../ui/filter-rules.ts';
import { Empty } from '../ui/states.tsx';
import type { SearchState } from '../ui/use-search-state.ts';

/** Whether filters stand below each other in a sheet of their own, as fields. */
export const SheetContext = createContext(false);

const typingPauseMs = 200;
const typingADayMs = 500;

/**
 * The text of a filter while it is typed. It is applied after a pause; a value that changes
 * elsewhere replaces it.
 */
function useTypedText(value: string, pauseMs: number, onChange: (text: string) => void) {
  const [text, setText] = useState(value);
  const applied = useRef(value);
  const apply = useRef(onChange);
  apply.current = onChange;
  useEffect(() => {
    if (value !== applied.current) setText(value);
    applied.current = value;
  }, [value]);
  useEffect(() => {
    if (text === applied.current) return;
    const timer = setTimeout(() => {
      applied.current = text;
      apply.current(text);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return [text, setText] as const;
}

/** The most characters of a search. */
const maxLength = 200;

/** The form of a search in the address. */
export const searchForm = { maxLength };

/**
 * The search field of a list. `/` moves the focus to it. The filter changes 200 ms after the last
 * key.
 */
export function SearchField({
  value,
  onChange,
  label,
}: {
  value: string;
  onChange: (value: string) => void;
  label: string;
}) {
  const [text, setText] = useTypedText(value, typingPauseMs, onChange);
  return (
    <div className="relative min-w-0 flex-1 basis-40 sm:max-w-72">
      <Search
        aria-hidden
        className="absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
      />
      <input
        type="search"
        data-list-search
        aria-label={label}
        placeholder={label}
        maxLength={maxLength}
        className="control w-full !pl-8"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  );
}

/**
 * A filter with few values, shown as a chip with the present value. Without a value it shows
 * `unset`.
 */
export function FilterChip({
  label,
  value,
  choices,
  unset = common.all,
  onChange,
}: {
  label: string;
  value: string | undefined;
  choices: readonly { value: string; label: string }[];
  unset?: string;
  onChange: (value: string | undefined) => void;
}) {
  const isInSheet = useContext(SheetContext);
  const options = choices.map((choice) => (
    <option key={choice.value} value={choice.value}>
      {choice.label}
    </option>
  ));
  const select = {
    value: value ?? '',
    onChange: (event: ChangeEvent<HTMLSelectElement>) => onChange(event.target.value || undefined),
  };
  if (isInSheet) {
    return (
      <label className="flex flex-col gap-1 text-sm font-medium">
        {label}
        <select aria-label={label} className="control w-full font-normal" {...select}>
          <option value="">{unset}</option>
          {options}
        </select>
      </label>
    );
  }
  return (
    <span
      className={`inline-flex items-center rounded-full border pr-1 text-sm ${value ? 'border-accent bg-accent-soft' : 'border-edge/60 bg-surface'}`}
    >
      <select
        aria-label={label}
        className="field-sizing-content min-h-7 max-w-48 rounded-full bg-transparent py-0.5 pr-1 pl-2.5 touch:min-h-11"
        {...select}
      >
        <option value="">
          {label}: {unset}
        </option>
        {options}
      </select>
      {value && <RemoveFilter label={label} onRemove={() => onChange(undefined)} />}
    </span>
  );
}

const RemoveFilter = ({ label, onRemove }: { label: string; onRemove: () => void }) => (
  <button
    type="button"
    aria-label={common.removeItem(label)}
    className="flex size-6 items-center justify-center rounded-full hover:bg-hover touch:size-11"
    onClick={onRemove}
  >
    <X aria-hidden className="size-3.5" />
  </button>
);

/**
 * A filter by a day, such as `2027-05-10`. It changes half a second after the last key, because a
 * year is typed digit by digit.
 */
function DayFilter({
  label,
  value,
  issueId,
  onChange,
}: {
  label: string;
  value: string | undefined;
  /** The element that says what is wrong with the day. */
  issueId: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useTypedText(value ?? '', typingADayMs, (day) => {
    const isUnreadable = input.current?.validity.badInput ?? false;
    if (isDayComplete(day, isUnreadable)) onChange(day || undefined);
  });
  const field = {
    ref: input,
    type: 'date',
    'aria-invalid': issueId !== undefined || undefined,
    'aria-describedby': issueId,
    value: text,
    onChange: (event: ChangeEvent<HTMLInputElement>) => setText(event.target.value),
  };
  if (useContext(SheetContext)) {
    return (
      <label className="flex min-w-0 flex-col gap-1 text-sm font-medium">
        {label}
        <input {...field} className="control w-full font-normal" />
      </label>
    );
  }
  return (
    <span
      className={`inline-flex items-center rounded-full border py-0.5 pl-2.5 text-sm touch:py-0 ${value ? 'border-accent bg-accent-soft pr-1' : 'border-edge/60 bg-surface pr-2.5'}`}
    >
      <label className="inline-flex items-center gap-1.5">
        {label}
        <input {...field} className="min-h-6 bg-transparent touch:min-h-11" />
      </label>
      {value && <RemoveFilter label={label} onRemove={() => onChange(undefined)} />}
    </span>
  );
}

/** The filters of a period. Its last day is called `until` or `to`. */
interface Period {
  days: SearchState;
  last?: 'until' | 'to';
}

/**
 * Two filters by the days of a period. The last day is included. Text below them says that a period
 * ends before it begins.
 */
export function PeriodFilter({
  labels,
  days,
  last = 'until',
  onChange,
}: Period & {
  labels: { from: string; until: string };
  onChange: (change: SearchState) => void;
}) {
  const id = useId();
  const issueId = isReversed(days.from, days[last]) ? id : undefined;
  return (
    <>
      <DayFilter
        label={labels.from}
        value={days.from}
        issueId={issueId}
        onChange={(from) => onChange({ from, pages: undefined })}
      />
      <DayFilter
        label={labels.until}
        value={days[last]}
        issueId={issueId}
        onChange={(day) => onChange({ [last]: day, pages: undefined })}
      />
      {issueId && (
        <p id={issueId} role="alert" className="w-full text-sm text-red">
          {common.reversedPeriod}
        </p>
      )}
    </>
  );
}

/** What a list says when no row fits its filters, or why none can fit. */
export const EmptyFiltered = ({ title, days, last = 'until' }: Period & { title: string }) => (
  <Empty title={isReversed(days.from, days[last]) ? common.reversedPeriodEmpty : title} />
);
