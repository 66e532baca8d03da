import type { Locator, Page } from 'playwright-core';
import { fillForm } from './fill-form.ts';
import type { Traffic, Write } from './watch-writes.ts';

/** What the use of one control has done. */
export interface Outcome {
  /** The words of the control; those of an item after its menu. */
  name: string;
  writes: Write[];
  /** What went wrong: a refused request, a message, or a form that sends nothing. */
  problems: string[];
}

interface Control {
  name: string;
  kind: 'button' | 'form' | 'item';
  isDanger: boolean;
  /** Selects the control, or the button of its menu. */
  target: string;
  item?: string;
}

/** No page has so many controls. */
const maxUses = 90;
/** The most questions in front of a write. */
const maxSteps = 4;
/** The rows whose menus are opened: their items depend on the status. */
const maxMenus = 4;

/**
 * Uses every control of a page once: clicks each button and each item of each menu, submits each
 * form with valid values, and confirms each question. What a use adds to the page is used, too;
 * what deletes or ends something is used last. `addressOf` returns the address of the page, or null
 * when its record is gone. `isLeftOut` names the controls that are not used. `check` returns what is
 * wrong with the record of a write. No two elements may have the same id while a dialog is open.
 */
export async function explorePage(
  page: Page,
  traffic: Traffic,
  addressOf: () => Promise<string | null>,
  isLeftOut: (name: string) => boolean,
  check: (write: Write) => Promise<string[]>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const used = new Set<string>();
  while (used.size < maxUses) {
    const address = await addressOf();
    if (address === null) break;
    await open(page, address);
    const controls = await listControls(page, (name) => !used.has(name) && !isLeftOut(name));
    const next = controls.find(({ isDanger }) => !isDanger) ?? controls[0];
    if (!next) break;
    used.add(next.name);
    const outcome = await use(page, next, traffic);
    // At once: a later use can change the record again.
    const differences = await Promise.all(outcome.writes.map(check));
    outcomes.push({ ...outcome, problems: [...outcome.problems, ...differences.flat()] });
  }
  return outcomes;
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page
    .getByRole('heading', { level: 1 })
    .first()
    .waitFor()
    .catch(async (cause: unknown) => {
      const words = await page.locator('body').textContent();
      throw new Error(`${address} has no heading: ${words?.slice(0, 500)}`, { cause });
    });
  await page.locator('main .appears-late').first().waitFor({ state: 'detached' });
  await drawn(page);
  // The bar of the selected rows is a part of the page.
  const box = page.getByRole('checkbox', { name: /^Select all/ }).first();
  if (await box.isVisible()) await box.check();
}

/**
 * The words of a control without the name of its record, which a use may change: `More actions:
 * Seat`, `Actions for Olivia`.
 */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/: .*$/, '')
    .replace(/(?<= for ).*$/, '…')
    .replaceAll(/ again|\d+/g, '#');

const readControls = `(() => {
  const main = document.querySelector('main');
  const forms = [...main.querySelectorAll('form')];
  return [...main.querySelectorAll('button, form')].flatMap((each, index) => {
    if (!each.checkVisibility() || each.disabled || (each.form && each.type === 'submit')) return [];
    each.dataset.control = String(index);
    const isForm = each.tagName === 'FORM';
    return [{
      target: '[data-control="' + index + '"]',
      kind: isForm ? 'form' : 'button',
      hasMenu: each.getAttribute('aria-haspopup') === 'menu',
      name: isForm ? 'form ' + (forms.indexOf(each) + 1) : each.getAttribute('aria-label') ?? each.innerText,
      isDanger: /bg-danger|text-red/.test(each.className),
    }];
  });
})()`;

const readItems = `[...document.querySelectorAll('[role^="menuitem"]')]
  .filter((each) => each.checkVisibility() && !each.hasAttribute('data-disabled'))
  .map((each) => ({ item: each.innerText.trim(), isDanger: /text-red/.test(each.className) }))`;

async function listControls(page: Page, isNew: (name: string) => boolean): Promise<Control[]> {
  const found = await page.evaluate<(Control & { hasMenu: boolean })[]>(readControls);
  const all: Control[] = [];
  let menus = 0;
  for (const { hasMenu, ...control } of found) {
    const name = wordsOf(control.name);
    if (!hasMenu) {
      if (isNew(name)) all.push({ ...control, name });
    } else if (menus < maxMenus && isNew(name)) {
      menus += 1;
      for (const each of await itemsOf(page, control.target)) {
        const full = `${name} › ${wordsOf(each.item)}`;
        if (isNew(full)) all.push({ ...each, name: full, kind: 'item', target: control.target });
      }
    }
  }
  return all;
}

async function itemsOf(page: Page, target: string) {
  await page.locator(target).click();
  await page.getByRole('menu').waitFor();
  const items = await page.evaluate<{ item: string; isDanger: boolean }[]>(readItems);
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  return items;
}

/** The ids that several elements of the page have, such as those of a form and a dialog over it. */
const repeatedIds = `[...Map.groupBy(document.querySelectorAll('[id]'), ({ id }) => id)]
  .flatMap(([id, all]) => (all.length > 1 ? [id] : []))`;

async function use(page: Page, control: Control, traffic: Traffic): Promise<Outcome> {
  traffic.begin();
  await begin(page, control);
  await settled(page, traffic);
  let isOpen = false;
  const repeated = new Set<string>();
  for (let step = 0; step < maxSteps && traffic.count() === 0; step += 1) {
    const dialog = page.getByRole('dialog').last();
    isOpen = await dialog.isVisible();
    if (!isOpen) break;
    for (const id of await page.evaluate<string[]>(repeatedIds)) repeated.add(id);
    await fillForm(page, dialog);
    const submit = submitOf(dialog);
    if (!(await submit.isVisible()) || !(await submit.isEnabled())) break;
    await submit.click();
    await settled(page, traffic);
  }
  const writes = await traffic.writes();
  const refused = writes.filter(({ status }) => status < 200 || status > 299);
  const messages = await page.locator('[role="alert"], [id$="-issue"]').allInnerTexts();
  return {
    name: control.name,
    writes,
    problems: [
      ...refused.map((each) => `${each.operation} ${each.status} ${JSON.stringify(each.response)}`),
      ...messages.filter((text) => text.trim() !== ''),
      ...[...repeated].map((id) => `several elements have the id ${id}`),
      ...((isOpen || control.kind === 'form') &&
      writes.length === 0 &&
      (await hasSubmit(page, control))
        ? ['it sends nothing']
        : []),
    ],
  };
}

async function begin(page: Page, { kind, target, item }: Control): Promise<void> {
  const control = page.locator(target);
  if (kind === 'form') {
    await fillForm(page, control);
    const submit = submitOf(control);
    if (await submit.isEnabled()) await submit.click();
    return;
  }
  await control.click();
  if (kind === 'item') {
    await page
      .getByRole('menuitem', { name: item ?? '', exact: true })
      .first()
      .click();
  }
}

/** The button that submits a form or confirms a question: the last one that does not end it. */
const submitOf = (box: Locator): Locator =>
  box
    .locator('button[type="submit"], footer button')
    .filter({ hasNotText: /^(Cancel|Close|Done|Stay|Discard|Back)$/ })
    .last();

const hasSubmit = (page: Page, { kind, target }: Control): Promise<boolean> =>
  submitOf(kind === 'form' ? page.locator(target) : page.getByRole('dialog').last()).isVisible();

const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  );

/** Waits until the writes of the page have their responses, and the page shows them. */
async function settled(page: Page, traffic: Traffic): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (let quiet = 0; quiet < 3 && Date.now() < deadline; ) {
    await drawn(page);
    quiet = traffic.isBusy() ? 0 : quiet + 1;
  }
}
