import { isUsableDate } from '../../format/time.ts';

/**
 * Whether the content of a day field becomes the value of its filter: a day, or none if the field is empty. A year is typed digit by
 * digit, and each digit completes a day, such as 0002-05-10. A part of a day is unreadable: the browser reports it as empty.
 */
export const isDayComplete = (text: string, isUnreadable: boolean): boolean =>
  !isUnreadable && (text === '' || isUsableDate(text));
