import {
  Archive,
  Ban,
  Circle,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleSlash,
  Clock,
  type LucideIcon,
  RotateCcw,
  TriangleAlert,
} from 'lucide-react';
import { type StatusKind, statusText } from '../../text/status.ts';
import { classes } from './classes.ts';

export type Tone = 'green' | 'amber' | 'red' | 'blue' | 'gray';

const tones: Record<Tone, string> = {
  green: 'bg-green-soft text-green',
  amber: 'bg-amber-soft text-amber',
  red: 'bg-red-soft text-red',
  blue: 'bg-blue-soft text-blue',
  gray: 'bg-gray-soft text-gray',
};

export interface BadgeProps {
  tone: Tone;
  icon?: LucideIcon;
  children: string;
}

export function Badge({ tone, icon: Icon, children }: BadgeProps) {
  return (
    <span
      data-badge
      className={classes(
        'inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      {Icon && <Icon aria-hidden className="size-3 shrink-0" />}
      {children}
    </span>
  );
}

const variants: Record<string, [Tone, LucideIcon]> = {
  draft: ['gray', CircleDashed],
  published: ['green', CircleCheck],
  archived: ['gray', Archive],
  open: ['green', CircleCheck],
  closed: ['gray', Circle],
  scheduled: ['blue', Clock],
  sold_out: ['amber', CircleSlash],
  ended: ['gray', Circle],
  pending: ['amber', Clock],
  confirmed: ['green', CircleCheck],
  unassigned: ['blue', CircleDashed],
  waitlisted: ['blue', Clock],
  rejected: ['gray', Ban],
  cancelled: ['gray', Ban],
  held: ['blue', Clock],
  awaiting_payment: ['blue', Clock],
  paid: ['green', CircleCheck],
  partly_refunded: ['amber', RotateCcw],
  expired: ['gray', Circle],
  refund_due: ['red', TriangleAlert],
  refunded: ['gray', RotateCcw],
  due: ['red', TriangleAlert],
  done: ['green', CircleCheck],
  failed: ['red', TriangleAlert],
  withdrawn: ['gray', Circle],
  declined: ['gray', Ban],
  succeeded: ['green', CircleCheck],
  mismatch: ['red', TriangleAlert],
  active: ['green', CircleCheck],
  disabled: ['gray', Ban],
  used: ['gray', Circle],
  revoked: ['gray', Ban],
  waiting: ['amber', Clock],
  paired: ['green', CircleCheck],
  enabled: ['green', CircleCheck],
  failing: ['red', TriangleAlert],
  delivered: ['green', CircleCheck],
  retrying: ['amber', RotateCcw],
  unchanged: ['gray', Circle],
  refused: ['amber', Ban],
  started: ['blue', Clock],
  accepted: ['green', CircleCheck],
};

/** The status of a record: icon, word and color, so that color alone carries no meaning. */
export function StatusBadge({ kind, status }: { kind: StatusKind; status: string }) {
  const [tone, icon] = variants[status] ?? ['gray', CircleDot];
  const words = statusText[kind] as Record<string, string>;
  return (
    <Badge tone={tone} icon={icon}>
      {words[status] ?? status}
    </Badge>
  );
}
