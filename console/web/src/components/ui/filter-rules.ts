import { isDay } from '../../format/time.ts';

/**
 * What a filter of the address can be: one of some choices, a day such as `2027-05-10`, or text of
 * a length. `undefined` are choices that are not loaded yet.
 */
export type FilterForm = readonly { value: string }[] | 'day' | { maxLength: number } | undefined;

export type FilterForms = Readonly<Record<string, FilterForm>>;

type Filters = Readonly<Record<string, string | undefined>>;

/**
 * The values of the address without those that a filter cannot have. No control of the page sets
 * them, so they count as no filter. Values without a form stay as they are.
 */
export const validFilters = (filters: Filters, forms: FilterForms): Filters =>
  Object.fromEntries(
    Object.entries(filters).filter(
      ([name, value]) => value === undefined || isPossible(value, forms[name]),
    ),
  );

function isPossible(value: string, form: FilterForm): boolean {
  if (form === undefined) return true;
  if (form === 'day') return isDay(value);
  if ('maxLength' in form) return value.length <= form.maxLength && !value.includes('\0');
  return form.some((choice) => choice.value === value);
}

/**
 * Whether the content of a day field becomes the value of its filter: a day, or none if the field
 * is empty. A year is typed digit by digit, and each digit completes a day, such as 0002-05-10. A
 * part of a day is unreadable: the browser reports it as empty.
 */
export const isDayComplete = (text: string, isUnreadable: boolean): boolean =>
  !isUnreadable && (text === '' || isDay(text));
