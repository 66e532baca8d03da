import { Popover } from '@base-ui/react/popover';
import { Bookmark, X } from 'lucide-react';
import { useState } from 'react';
import { registrationListText } from '../../text/registration-list.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { Link } from '../ui/link.tsx';
import type { SearchState } from '../ui/use-search-state.ts';
import { useStored } from '../ui/use-stored.ts';

interface View {
  name: string;
  search: SearchState;
}

const text = registrationListText.views;

/** The filters of a view; how many rows are loaded and which page is open are no part of it. */
const filtersOf = ({ pages: _, full: __, ...filters }: SearchState): SearchState => filters;

const isSame = (one: SearchState, other: SearchState): boolean =>
  JSON.stringify(Object.entries(one).toSorted()) ===
  JSON.stringify(Object.entries(other).toSorted());

/**
 * The sets of filters that the person has saved for a list under names, remembered in this browser.
 * Each is an address of the list.
 */
export function SavedViews({
  list,
  href,
  search,
}: {
  list: string;
  href: string;
  search: SearchState;
}) {
  const [views, setViews] = useStored<readonly View[]>(`views:${list}`, []);
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const filters = filtersOf(search);
  const canSave = name.trim() !== '' && Object.keys(filters).length > 0;
  const save = () => {
    if (!canSave) return;
    const view = { name: name.trim(), search: filters };
    setViews([...views.filter((each) => each.name !== view.name), view]);
    setName('');
    setOpen(false);
  };
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger render={<Button icon={Bookmark}>{text.title}</Button>} />
      <Popover.Portal>
        <Popover.Positioner align="end" sideOffset={4} className="z-50">
          <Popover.Popup
            aria-label={text.title}
            className="flex w-72 max-w-[calc(100vw-2rem)] flex-col gap-2 rounded-md border border-line bg-surface p-2 shadow-lg"
          >
            {views.length === 0 && <p className="px-2 pt-1 text-sm text-muted">{text.none}</p>}
            <ul>
              {views.map((view) => (
                <li key={view.name} className="flex items-center">
                  <Link
                    href={href}
                    search={view.search}
                    aria-current={isSame(view.search, filters) ? 'page' : undefined}
                    className={classes(
                      'flex min-h-8 min-w-0 flex-1 items-center rounded-sm px-2 wrap-anywhere hover:bg-hover touch:min-h-11',
                      isSame(view.search, filters) && 'font-medium text-accent-ink',
                    )}
                    onClick={() => setOpen(false)}
                  >
                    {view.name}
                  </Link>
                  <IconButton
                    icon={X}
                    label={text.remove(view.name)}
                    onClick={() => setViews(views.filter((each) => each !== view))}
                  />
                </li>
              ))}
            </ul>
            <form
              className="flex gap-2 border-t border-line pt-2"
              onSubmit={(event) => {
                event.preventDefault();
                save();
              }}
            >
              <input
                className="control min-w-0 flex-1"
                aria-label={text.name}
                placeholder={text.name}
                maxLength={60}
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
              <Button type="submit" disabled={!canSave}>
                {text.save}
              </Button>
            </form>
            <p className="px-2 pb-1 text-xs text-muted">{text.kept}</p>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
