import { Menu as Base } from '@base-ui/react/menu';
import { type LucideIcon, MoreHorizontal } from 'lucide-react';
import { common } from '../../text/common.ts';
import { IconButton } from './button.tsx';
import { classes } from './classes.ts';

export interface MenuAction {
  label: string;
  icon?: LucideIcon;
  onSelect: () => void;
  isDanger?: boolean;
  isDisabled?: boolean;
}

/** The further actions of a record, behind a button with three dots. Absent actions are skipped. */
export function ActionMenu({
  actions,
  label = common.moreActions,
  icon = MoreHorizontal,
}: {
  actions: readonly (MenuAction | false | null)[];
  label?: string;
  icon?: LucideIcon;
}) {
  const present = actions.filter((action) => action !== false && action !== null);
  if (present.length === 0) return null;
  return (
    <Base.Root>
      <Base.Trigger render={<IconButton icon={icon} label={label} />} />
      <Base.Portal>
        <Base.Positioner align="end" sideOffset={4} className="z-50">
          <Base.Popup className="min-w-44 rounded-md border border-line bg-surface py-1 shadow-lg">
            {present.map(({ label: text, icon: Icon, onSelect, isDanger, isDisabled }) => (
              <Base.Item
                key={text}
                disabled={isDisabled ?? false}
                onClick={onSelect}
                className={classes(
                  'flex min-h-8 cursor-pointer items-center gap-2 px-3 data-[disabled]:opacity-50 data-[highlighted]:bg-hover touch:min-h-11',
                  isDanger && 'text-red',
                )}
              >
                {Icon && <Icon aria-hidden className="size-4" />}
                {text}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
