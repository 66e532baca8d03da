const isAtStartOfWord = (text, word) =>
  text
    .split(word)
    .slice(0, -1)
    .some((before) => !/[\p{L}\p{N}]$/u.test(before));

function pointsOf(word, title, text) {
  if (title.includes(word)) return isAtStartOfWord(title, word) ? 10 : 6;
  if (text.includes(word)) return isAtStartOfWord(text, word) ? 2 : 1;
  return 0;
}

/**
 * The entries that contain all words of the query, best first: the one that is named like this, then
 * those with the words in their titles.
 */
export function find(entries, query, limit = 12) {
  const wanted = query.trim().toLowerCase();
  const words = wanted.split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return entries
    .map((entry) => {
      const [name, title, text] = [entry.name, entry.title, entry.text].map((each) =>
        each.toLowerCase(),
      );
      const points = words.map((word) => pointsOf(word, title, text));
      const isNamed = name === wanted || title === wanted;
      const sum = points.reduce((total, each) => total + each, isNamed ? 100 : 0);
      return { entry, points: points.includes(0) ? 0 : sum };
    })
    .filter(({ points }) => points > 0)
    .sort((left, right) => right.points - left.points)
    .slice(0, limit)
    .map(({ entry }) => entry);
}
