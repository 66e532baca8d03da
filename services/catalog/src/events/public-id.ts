import { randomInt } from 'node:crypto';

const crockford = '0123456789abcdefghjkmnpqrstvwxyz';
const slugLength = 60;

/**
 * Generates a readable id for links: the letters and digits of the name, and six random characters.
 */
export function generatePublicId(name: string): string {
  const suffix = Array.from({ length: 6 }, () => crockford[randomInt(crockford.length)]).join('');
  return `${slugOf(name) || 'event'}-${suffix}`;
}

function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, slugLength)
    .replace(/-+$/, '');
}
