import { Ban, Check, RotateCcw } from 'lucide-react';
import type { CSSProperties } from 'react';
import type { Order } from '../../api/records.ts';
import { classes } from '../../components/ui/classes.ts';
import { ordersText as text } from '../../text/orders.ts';
import { decideProgress, type Progress } from './orders.rules.ts';

const tones: Record<Progress['tone'], { line: string; word: string }> = {
  normal: { line: 'border-accent', word: 'text-ink' },
  returned: { line: 'border-amber', word: 'text-amber' },
  failed: { line: 'border-danger', word: 'text-red' },
};
const icons = { normal: Check, returned: RotateCcw, failed: Ban };

/** The way of an order as steps, with the present one. */
export function Steps({ order }: { order: Order }) {
  const { steps, current, tone } = decideProgress(order);
  const index = steps.indexOf(current);
  return (
    <ol
      aria-label={text.stepsLabel}
      style={{ '--steps': steps.length } as CSSProperties}
      className="grid grid-cols-[repeat(var(--steps),minmax(0,1fr))] gap-1"
    >
      {steps.map((step, position) => {
        const isCurrent = position === index;
        const isLast = isCurrent && position === steps.length - 1;
        const Icon = isLast ? icons[tone] : Check;
        return (
          <li
            key={step}
            aria-current={isCurrent ? 'step' : undefined}
            className={classes(
              'flex items-start gap-1 border-t-4 pt-1 text-xs',
              position > index && 'border-line text-muted',
              position < index && 'border-accent/60 text-muted',
              isCurrent && `font-semibold ${tones[tone].line} ${tones[tone].word}`,
            )}
          >
            {(position < index || isLast) && (
              <Icon aria-hidden className="mt-px size-3.5 shrink-0 @max-lg:hidden" />
            )}
            {text.steps[step]}
          </li>
        );
      })}
    </ol>
  );
}
