/** What a decision about a pressed key depends on. */
export interface KeyPress {
  /** With Ctrl, Alt or the command key. */
  isModified: boolean;
  /** The control with the focus. */
  control: { tag: string; type: string; isEditable: boolean };
  /** Whether a dialog or a menu is open. */
  isLayerOpen: boolean;
}

/** Inputs that no letter changes. */
const pressedTypes = ['checkbox', 'radio', 'button', 'submit', 'reset', 'file', 'color', 'range'];

const takesText = ({ tag, type, isEditable }: KeyPress['control']): boolean =>
  isEditable || tag === 'TEXTAREA' || (tag === 'INPUT' && !pressedTypes.includes(type));

/**
 * Whether a key without a modifier is a shortcut. In an open list of choices, a letter chooses one.
 */
export const isShortcut = ({ isModified, control, isLayerOpen }: KeyPress): boolean =>
  !isModified && !isLayerOpen && !takesText(control) && control.tag !== 'SELECT';

/**
 * Whether Escape closes what is beside the page. In a text field and an open dialog, it belongs to
 * these.
 */
export const isClosing = ({ control, isLayerOpen }: KeyPress): boolean =>
  !isLayerOpen && !takesText(control);
