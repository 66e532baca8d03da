// The pages work without this script. It adds the copy buttons, the search, and one language for
// all examples.
import { find } from './search.js';

const storageKey = 'guides-language';

for (const block of document.querySelectorAll('.code pre')) {
  const button = document.createElement('button');
  button.className = 'copy';
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  block.before(button);
}

function choose(language) {
  for (const input of document.querySelectorAll('.languages input')) {
    if (input.value === language) input.checked = true;
  }
}

choose(localStorage.getItem(storageKey));
document.addEventListener('change', ({ target }) => {
  if (!target.matches('.languages input')) return;
  localStorage.setItem(storageKey, target.value);
  // The other examples change their height: keep the choice where it is.
  const before = target.getBoundingClientRect().top;
  choose(target.value);
  scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
});

const menu = document.getElementById('menu');
const headings = document.querySelector('.headings details');
// A link to a heading of the same page leaves the lists open.
menu.addEventListener('click', ({ target }) => {
  if (target.closest('a') && menu.matches(':popover-open')) menu.hidePopover();
});
headings?.addEventListener('click', ({ target }) => {
  if (target.closest('a')) headings.open = false;
});

const form = document.querySelector('[role=search]');
const field = form.querySelector('input');
const panel = form.querySelector('.found');
const summary = panel.querySelector('p');
const results = panel.querySelector('ul');
form.hidden = false;

let index;
const loadIndex = () => {
  index ??= fetch('/docs/assets/search.json').then((response) => response.json());
  return index;
};

function resultOf({ title, place, href }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = href;
  link.textContent = title;
  const small = document.createElement('small');
  small.textContent = place;
  link.append(small);
  item.append(link);
  return item;
}

async function showResults() {
  const query = field.value;
  const entries = query.trim() === '' ? [] : find(await loadIndex(), query);
  // The reader typed on while the index was loading.
  if (query !== field.value) return;
  panel.hidden = query.trim() === '';
  summary.textContent = entries.length > 0 ? `${entries.length} results` : 'Nothing found';
  results.replaceChildren(...entries.map(resultOf));
}

function close() {
  field.value = '';
  panel.hidden = true;
}

/** Moves from the field through the results and back. */
function move(step) {
  const stops = [field, ...results.querySelectorAll('a')];
  const next = stops.indexOf(document.activeElement) + step;
  stops[Math.min(Math.max(next, 0), stops.length - 1)].focus();
}

const isTyping = ({ target }) => target.closest('input, textarea, select, [contenteditable=true]');

field.addEventListener('focus', loadIndex, { once: true });
field.addEventListener('input', showResults);
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  await showResults();
  results.querySelector('a')?.click();
});
form.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined) {
    event.preventDefault();
    move(step);
  } else if (event.key === 'Escape') {
    close();
    field.focus();
  }
});
form.addEventListener('focusout', ({ relatedTarget }) => {
  if (!form.contains(relatedTarget)) panel.hidden = true;
});
field.addEventListener('focus', showResults);
results.addEventListener('click', close);
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping(event)) return;
  event.preventDefault();
  field.focus();
});
