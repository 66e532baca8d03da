import type { KeyPress } from './key-rules.ts';

/** Reads from the page what a decision about a pressed key depends on. */
export function readKey(event: KeyboardEvent): KeyPress {
  const { target } = event;
  return {
    isModified: event.ctrlKey || event.metaKey || event.altKey,
    control: {
      tag: target instanceof HTMLElement ? target.tagName : '',
      type: target instanceof HTMLInputElement ? target.type : '',
      isEditable: target instanceof HTMLElement && target.isContentEditable,
    },
    isLayerOpen: isLayerOpen(),
  };
}

/** A message has the role of a dialog too, but it leaves the keys to the page. */
const layers = ['[role="dialog"]', '[role="alertdialog"]', '[role="menu"]']
  .map((each) => `${each}:not([data-toast])`)
  .join(', ');

export const isLayerOpen = (): boolean => document.querySelector(layers) !== null;
