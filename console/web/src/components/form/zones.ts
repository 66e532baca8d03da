import type { Choice } from './choice-fields.tsx';

/**
 * The zones of a list: those that are likely, then all others by their part of the world, each with
 * its place first, so that typing "Berlin" finds `Europe/Berlin`.
 */
export function zoneChoices(likely: readonly string[], all: readonly string[]): Choice[] {
  const first = [...new Set(likely)];
  const others = all
    .filter((zone) => !first.includes(zone))
    .map((zone) => {
      const [region = '', ...place] = zone.split('/');
      const words = (place.length > 0 ? place.toReversed().join(', ') : region).replaceAll(
        '_',
        ' ',
      );
      return { value: zone, label: words, group: region };
    })
    .toSorted(
      (one, other) => one.group.localeCompare(other.group) || one.label.localeCompare(other.label),
    );
  return [...first.map((zone) => ({ value: zone, label: zone })), ...others];
}
