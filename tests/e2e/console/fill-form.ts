import type { Locator, Page } from 'playwright-core';

/** A field of a form, as far as a value is chosen by it. */
interface Entry {
  index: number;
  id: string;
  tagName: string;
  type: string;
  name: string;
  label: string;
  value: string;
  min: string;
  inputMode: string;
  role: string | null;
}

interface FieldElement extends Omit<Entry, 'index' | 'label' | 'role'> {
  disabled: boolean;
  readOnly: boolean;
  labels: ArrayLike<{ textContent: string }> | null;
  checkVisibility(): boolean;
  getAttribute(name: string): string | null;
}

const tags = 'input, select, textarea';

/** The fields that can be used. */
const readEntries = (box: Locator): Promise<Entry[]> =>
  box.locator(tags).evaluateAll((all) =>
    (all as unknown as FieldElement[]).flatMap((each, index) =>
      each.disabled || each.readOnly || !each.checkVisibility()
        ? []
        : {
            index,
            id: each.id,
            tagName: each.tagName,
            type: each.type,
            name: each.name,
            label: each.labels?.[0]?.textContent ?? each.getAttribute('aria-label') ?? '',
            value: each.value,
            min: each.min ?? '',
            inputMode: each.inputMode,
            role: each.getAttribute('role'),
          },
    ),
  );

/**
 * Enters a valid value into each empty field of a form or dialog, and changes the first one if it
 * has a text. A name that confirms something is typed.
 */
export async function fillForm(page: Page, box: Locator): Promise<void> {
  const filled = new Set<string>();
  // A value can show further fields.
  for (let pass = 0; pass < 2; pass += 1) {
    for (const entry of await readEntries(box)) {
      const key = entry.id || String(entry.index);
      if (filled.has(key)) continue;
      filled.add(key);
      const field = entry.id
        ? page.locator(`[id="${entry.id}"]`)
        : box.locator(tags).nth(entry.index);
      await enter(page, field, entry, filled.size === 1);
    }
  }
  await checkOneOfEach(box);
}

async function enter(page: Page, field: Locator, entry: Entry, isFirst: boolean): Promise<void> {
  const { label, name, role, value, type, tagName } = entry;
  const confirmed = /type “(.+)”/.exec(label)?.[1];
  // Nobody knows a code.
  if (type === 'checkbox' || type === 'radio' || name === 'redemptionCode') return;
  if (confirmed !== undefined) return field.fill(confirmed);
  if (tagName === 'SELECT') return value === '' ? selectFirst(field) : undefined;
  if (role === 'combobox') return value === '' ? chooseOption(page, field) : undefined;
  if (value === '' || (isFirst && type === 'text' && !isMoney(entry))) {
    await field.fill(validFor(entry));
  }
}

async function selectFirst(field: Locator): Promise<void> {
  const values = await field
    .locator('option')
    .evaluateAll((all) => all.map((each) => String((each as { value?: string }).value)));
  const first = values.find((value) => value !== '');
  if (first !== undefined) await field.selectOption(first);
}

async function chooseOption(page: Page, field: Locator): Promise<void> {
  await field.fill('a');
  const option = page.getByRole('option').first();
  await option.waitFor();
  await option.click();
}

/** A list of boxes without a checked one gets its first one. */
async function checkOneOfEach(box: Locator): Promise<void> {
  for (const group of await box.locator('fieldset').all()) {
    if ((await group.locator('input:checked').count()) > 0) continue;
    const boxes = group.locator('input[type="checkbox"]:enabled, input[type="radio"]:enabled');
    if (await boxes.first().isVisible()) await boxes.first().check();
  }
}

const isMoney = ({ inputMode, type }: Entry): boolean => type === 'text' && inputMode === 'decimal';

let serial = 0;
/** What a changed text ends with. */
const changed = ' again';

function validFor(entry: Entry): string {
  const { type, name, label, min, value } = entry;
  const words = `${name} ${label}`;
  serial += 1;
  // Of the payment sandbox, which has an account for each.
  if (type === 'password') return `sandbox_sk_0123456789abcdef${serial}`;
  if (type === 'number') return String(Math.max(1, Number(min)));
  if (type === 'email' || name === 'people' || /email/i.test(words))
    return `entry-${serial}@example.com`;
  if (type === 'url' || /website|url/i.test(name)) return `https://entry-${serial}.example/`;
  if (isMoney(entry)) return '12.00';
  if (type === 'date') return '2027-05-10';
  if (type === 'datetime-local') {
    return /end|until|close/i.test(words) ? '2027-05-11T12:00' : '2027-05-10T11:00';
  }
  if (value === '') return `Entry-${serial}`;
  return value.endsWith(changed) ? value.slice(0, -changed.length) : value + changed;
}
