import { createContext, type RefObject } from 'react';

/** Where the dialog around a form finds out, when it is closed, whether the form has changes that are not saved. */
export const UnsavedContext = createContext<RefObject<() => boolean> | null>(null);

export const hasNoChanges = () => false;
