// The pages work without this script. It adds the copy buttons, the search, and one language for
// all examples.
const storageKey = 'guides-language';

for (const block of document.querySelectorAll('pre')) {
  const frame = document.createElement('div');
  frame.className = 'code';
  block.replaceWith(frame);
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
  frame.append(block, button);
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

const form = document.querySelector('[role=search]');
const field = form.querySelector('input');
const results = form.querySelector('ul');
form.hidden = false;
form.addEventListener('submit', (event) => {
  event.preventDefault();
  results.querySelector('a')?.click();
});

let index;
async function loadIndex() {
  index ??= fetch('/docs/guides/assets/search.json').then((response) => response.json());
  return (await index).flatMap(({ name, title, sections }) =>
    sections.map((section) => ({ ...section, name, title })),
  );
}

/** The sections that contain all words, those with a word in the heading first. */
function find(sections, words) {
  const score = ({ title, heading, text }) => {
    const [head, all] = [`${title} ${heading}`.toLowerCase(), text.toLowerCase()];
    if (!words.every((word) => head.includes(word) || all.includes(word))) return 0;
    return 1 + words.filter((word) => head.includes(word)).length;
  };
  return sections
    .map((section) => ({ section, points: score(section) }))
    .filter(({ points }) => points > 0)
    .sort((left, right) => right.points - left.points)
    .slice(0, 8)
    .map(({ section }) => section);
}

function resultOf({ name, title, heading, anchor }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `/docs/guides/${name}${anchor && `#${anchor}`}`;
  link.textContent = heading;
  const small = document.createElement('small');
  small.textContent = title;
  item.append(link, small);
  return item;
}

field.addEventListener('input', async () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return results.replaceChildren();
  const found = find(await loadIndex(), words);
  const none = document.createElement('li');
  none.textContent = 'Nothing found';
  results.replaceChildren(...(found.length > 0 ? found.map(resultOf) : [none]));
});
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    field.value = '';
    results.replaceChildren();
  }
});
results.addEventListener('click', () => results.replaceChildren());
