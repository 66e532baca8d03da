import { describe, expect, test } from 'vitest';
import { isClosing, isShortcut, type KeyPress } from './key-rules.ts';

const press = (change: Partial<Omit<KeyPress, 'control'>>, tag = 'BODY', type = ''): KeyPress => ({
  isModified: false,
  isLayerOpen: false,
  control: { tag, type, isEditable: false },
  ...change,
});

describe('a key', () => {
  test.each([
    ['on the page', press({}), true, true],
    ['on a button', press({}, 'BUTTON', 'button'), true, true],
    ['on a checkbox of a row', press({}, 'INPUT', 'checkbox'), true, true],
    ['on a choice with one answer', press({}, 'INPUT', 'radio'), true, true],
    ['in a list of choices', press({}, 'SELECT', 'select-one'), false, true],
    ['in a text field', press({}, 'INPUT', 'text'), false, false],
    ['in a search field', press({}, 'INPUT', 'search'), false, false],
    ['in a field for a day', press({}, 'INPUT', 'date'), false, false],
    ['in a long text', press({}, 'TEXTAREA', 'textarea'), false, false],
    ['on a button in a dialog', press({ isLayerOpen: true }, 'BUTTON', 'button'), false, false],
    ['with Ctrl', press({ isModified: true }), false, true],
  ])('%s is a shortcut or closes the panel', (_, pressed, shortcut, closing) => {
    expect([isShortcut(pressed), isClosing(pressed)]).toEqual([shortcut, closing]);
  });

  test('in an editable text is no shortcut', () => {
    const control = { tag: 'DIV', type: '', isEditable: true };
    expect(isShortcut({ ...press({}), control })).toBe(false);
  });
});
