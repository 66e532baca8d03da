import { createContext, type RefObject } from 'react';

/** What closing a dialog would lose: nothing, text that is not saved, or the result of a request that is running. */
export type Unsaved = 'nothing' | 'text' | 'result';

/** Where the dialog around a form finds out, when it is closed, what would be lost. */
export const UnsavedContext = createContext<RefObject<() => Unsaved> | null>(null);

export const losesNothing = (): Unsaved => 'nothing';
