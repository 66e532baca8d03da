import { createContext, type RefObject, useContext, useEffect } from 'react';

/** Says whether the form in a dialog has changes that are not saved. */
type UnsavedRef = RefObject<() => boolean>;

const UnsavedContext = createContext<UnsavedRef | null>(null);
export const UnsavedProvider = UnsavedContext.Provider;

export const hasNoChanges = () => false;

/** Lets the dialog around a form ask before it closes. The dialog calls the function then. */
export function useUnsavedInDialog(hasUnsaved: () => boolean): void {
  const unsaved = useContext(UnsavedContext);
  useEffect(() => {
    if (!unsaved) return;
    unsaved.current = hasUnsaved;
    return () => {
      unsaved.current = hasNoChanges;
    };
  });
}
