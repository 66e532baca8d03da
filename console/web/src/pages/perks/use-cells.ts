import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../components/ui/states.tsx';
import { useToast } from '../../components/ui/toast.tsx';

/** The marks of a matrix, each saved when it is clicked. */
export interface Cells {
  isOn: (rowId: string, perkId: string) => boolean;
  /** `marked` are the perks of the row afterwards, in the order of the columns. */
  set: (rowId: string, perkId: string, isOn: boolean) => void;
}

/**
 * Shows a mark at once and saves it. Saves run one after the other, so that a row is never saved
 * with an older state. A mark that could not be saved goes back, with a message.
 */
export function useCells(options: {
  perkIds: readonly string[];
  isSaved: (rowId: string, perkId: string) => boolean;
  save: (change: {
    rowId: string;
    perkId: string;
    isOn: boolean;
    marked: string[];
  }) => Promise<void>;
}): Cells {
  const { perkIds, isSaved, save } = options;
  const toast = useToast();
  const [wanted, setWanted] = useState<ReadonlyMap<string, boolean>>(new Map());
  const queue = useRef(Promise.resolve());
  const keyOf = (rowId: string, perkId: string) => `${rowId} ${perkId}`;
  const isOn = (rowId: string, perkId: string) =>
    wanted.get(keyOf(rowId, perkId)) ?? isSaved(rowId, perkId);

  useEffect(() => {
    const open = [...wanted].filter(([key, value]) => {
      const [rowId = '', perkId = ''] = key.split(' ');
      return isSaved(rowId, perkId) !== value;
    });
    if (open.length < wanted.size) setWanted(new Map(open));
  }, [wanted, isSaved]);

  return {
    isOn,
    set(rowId, perkId, value) {
      const key = keyOf(rowId, perkId);
      const marked = perkIds.filter((id) => (id === perkId ? value : isOn(rowId, id)));
      setWanted((before) => new Map([...before, [key, value]]));
      queue.current = queue.current.then(() =>
        save({ rowId, perkId, isOn: value, marked }).catch((error: Error) => {
          setWanted((before) => new Map([...before].filter(([each]) => each !== key)));
          toast(messageOf(error));
        }),
      );
    },
  };
}
