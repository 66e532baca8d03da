import type { Order } from '../../api/records.ts';
import { classes } from '../../components/ui/classes.ts';
import { ordersText as text } from '../../text/orders.ts';
import { decideProgress, steps } from './orders.rules.ts';

/** The way of an order as five steps, with the present one. */
export function Steps({ order }: { order: Order }) {
  const { current, hasEnded } = decideProgress(order);
  const index = steps.indexOf(current);
  return (
    <ol aria-label={text.stepsLabel} className="grid grid-cols-5 gap-1">
      {steps.map((step, position) => (
        <li
          key={step}
          aria-current={position === index ? 'step' : undefined}
          className={classes(
            'border-t-4 pt-1 text-xs',
            position === index && (hasEnded ? 'border-danger' : 'border-accent'),
            position < index && 'border-accent/60',
            position > index && 'border-line',
            position === index ? 'font-semibold' : 'text-muted',
          )}
        >
          {text.steps[step]}
        </li>
      ))}
    </ol>
  );
}
