import { useObservable } from '../api/observable.ts';
import { forgetUnrecorded, unrecorded } from '../store/unrecorded.ts';
import { text } from '../text/en.ts';
import { formatTime } from '../text/time.ts';

/** The people who are inside without a check-in, until somebody has noted them. */
export function UnrecordedPeople({ timezone }: { timezone: string }) {
  const people = useObservable(unrecorded);
  if (people.length === 0) return null;
  return (
    <section role="alert" className="unrecorded">
      <strong>{text.unrecorded(people.length)}</strong>
      <ul>
        {people.map(({ scanId, shown, at, reason }) => (
          <li key={scanId}>
            {at !== null && `${formatTime(at, timezone)} · `}
            {shown} · {text.scanIssues[reason]}
          </li>
        ))}
      </ul>
      <button type="button" onClick={forgetUnrecorded}>
        {text.noted}
      </button>
    </section>
  );
}
