import { createContext, type RefObject } from 'react';

/**
 * What closing a dialog would lose: nothing, text that is not saved, or the result of a request
 * that is running.
 */
export type Unsaved = 'nothing' | 'text' | 'result';

/** Where the dialog around a form finds out, when it is closed, what would be lost. */
export const UnsavedContext = createContext<RefObject<() => Unsaved> | null>(null);

/**
 * Whether a navigation that the question holds goes on: the request has ended, leaving loses
 * nothing any more, and the page does not show that the request failed.
 */
export const isReleased = (unsaved: Unsaved, hasFailed: boolean): boolean =>
  unsaved === 'nothing' && !hasFailed;

export const losesNothing = (): Unsaved => 'nothing';
