import { useOptionalEvent } from '../../api/unit.ts';
import { now } from '../../format/clock.ts';
import { formatDay, formatInstant, formatRelative, viewerZone } from '../../format/time.ts';
import { common } from '../../text/common.ts';

/** An instant in the zone of the event, with the time of the viewer on hover. Without an event, in the viewer's zone. */
export function Instant({
  at,
  zone,
  style = 'full',
}: {
  at: string | null | undefined;
  zone?: string;
  style?: 'full' | 'day' | 'relative';
}) {
  const event = useOptionalEvent();
  const shown = zone ?? event?.timezone ?? viewerZone();
  if (!at) return <span className="text-muted">{common.noValue}</span>;
  const full = formatInstant(at, shown);
  const local = formatInstant(at, viewerZone());
  const text =
    style === 'relative'
      ? formatRelative(at, now())
      : style === 'day'
        ? formatDay(at, shown)
        : full;
  const hint = style === 'relative' ? full : common.viewerTime(local);
  return (
    <time dateTime={at} title={hint} className="whitespace-nowrap">
      {text}
    </time>
  );
}
