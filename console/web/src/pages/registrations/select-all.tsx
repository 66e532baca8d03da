import { useState } from 'react';
import type { Registration } from '../../api/records.ts';
import { Button } from '../../components/ui/button.tsx';
import { messageOf } from '../../components/ui/states.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { registrationListText } from '../../text/registration-list.ts';
import { maxSelected } from './use-registration-list.ts';

const text = registrationListText.select;

/** Extends a selection of all loaded rows to everybody who fits the filters, up to the limit. */
export function SelectAll({
  loaded,
  selected,
  total,
  hasMore,
  readAll,
  onSelect,
}: {
  loaded: readonly Registration[];
  selected: number;
  /** How many fit the filters, if this is known. */
  total: number | undefined;
  hasMore: boolean;
  readAll: (signal: AbortSignal) => Promise<Registration[]>;
  onSelect: (people: readonly Registration[]) => void;
}) {
  const toast = useToast();
  const [isReading, setReading] = useState(false);
  if (selected >= maxSelected)
    return <span className="text-muted">{text.limited(maxSelected)}</span>;
  if (!hasMore || selected < loaded.length) return null;
  const select = async () => {
    setReading(true);
    try {
      onSelect(await readAll(AbortSignal.timeout(60_000)));
    } catch (error) {
      toast(messageOf(error as Error));
    } finally {
      setReading(false);
    }
  };
  return (
    <Button isBusy={isReading} onClick={() => void select()}>
      {total === undefined || total > maxSelected
        ? text.first(maxSelected, total)
        : text.all(total)}
    </Button>
  );
}
