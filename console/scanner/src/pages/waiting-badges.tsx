import { labelOf, type Waiting } from '../scan/queue.ts';
import { text } from '../text/en.ts';

/** The badges that wait to be checked, and the one that was refused because too many wait. */
export function WaitingBadges({
  waiting,
  refused,
}: {
  waiting: readonly Waiting[];
  refused: string | null;
}) {
  return (
    <>
      {refused !== null && (
        <p role="alert" className="queue-full">
          {text.queueFull(refused)}
        </p>
      )}
      {waiting.length > 0 && (
        <section className="waiting" aria-label={text.waiting(waiting.length)}>
          <strong>{text.waiting(waiting.length)}</strong>
          <ol>
            {waiting.map(({ presented }) => (
              <li key={labelOf(presented)}>{labelOf(presented)}</li>
            ))}
          </ol>
        </section>
      )}
    </>
  );
}
