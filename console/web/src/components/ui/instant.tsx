import { useZone } from '../../api/unit.ts';
import { now } from '../../format/clock.ts';
import {
  formatDay,
  formatInstant,
  formatRelative,
  formatSecond,
  viewerZone,
} from '../../format/time.ts';
import { common } from '../../text/common.ts';
import { NoValue } from './no-value.tsx';

/** Text that breaks only after its comma, which is between the day and the time. */
const breakableOf = (text: string): string =>
  text.replaceAll(' ', '\u00a0').replace(',\u00a0', ', ');

/** An instant in the zone of the page, with the time of the viewer on hover. */
export function Instant({
  at,
  zone,
  style = 'full',
}: {
  at: string | null | undefined;
  zone?: string;
  /** `second` is full with seconds, on two lines where one has no room. */
  style?: 'full' | 'second' | 'day' | 'relative';
}) {
  const ofPage = useZone();
  const timezone = zone ?? ofPage;
  if (!at) return <NoValue />;
  const format = style === 'second' ? formatSecond : formatInstant;
  const full = format(at, timezone);
  const local = format(at, viewerZone());
  const text =
    style === 'relative'
      ? formatRelative(at, now())
      : style === 'day'
        ? formatDay(at, timezone)
        : full;
  const hint = style === 'relative' ? full : common.viewerTime(local);
  return (
    <time dateTime={at} title={hint} className={style === 'second' ? '' : 'whitespace-nowrap'}>
      {style === 'second' ? breakableOf(text) : text}
    </time>
  );
}
