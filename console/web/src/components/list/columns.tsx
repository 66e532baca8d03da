import { Popover } from '@base-ui/react/popover';
import { Columns3 } from 'lucide-react';
import { common } from '../../text/common.ts';
import { Button } from '../ui/button.tsx';
import { useStored } from '../ui/use-stored.ts';
import type { Column } from './column.ts';

/**
 * The columns that the person has chosen for a list, remembered in this browser, and the control to
 * choose them.
 */
export function useColumns<Row>(list: string, columns: readonly Column<Row>[]) {
  const initial = columns.filter(({ isOptional }) => !isOptional).map(({ id }) => id);
  const [chosen, setChosen] = useStored(`columns:${list}`, initial);
  const [first] = columns;
  const visible = columns.filter((column) => column === first || chosen.includes(column.id));
  const picker = (
    <Popover.Root>
      <Popover.Trigger render={<Button icon={Columns3}>{common.columns}</Button>} />
      <Popover.Portal>
        <Popover.Positioner align="end" sideOffset={4} className="z-50">
          <Popover.Popup
            aria-label={common.columns}
            className="rounded-md border border-line bg-surface p-2 shadow-lg"
          >
            {columns.slice(1).map(({ id, header }) => (
              <label key={id} className="flex min-h-8 items-center gap-2 px-2 touch:min-h-11">
                <input
                  type="checkbox"
                  className="size-4 accent-accent"
                  checked={chosen.includes(id)}
                  onChange={(event) =>
                    setChosen(
                      event.target.checked ? [...chosen, id] : chosen.filter((each) => each !== id),
                    )
                  }
                />
                {header}
              </label>
            ))}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
  return { visible, picker } as const;
}
