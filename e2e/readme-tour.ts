import { readFileSync } from 'node:fs';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const [, section = ''] = /^## A tour\n([\s\S]*?)^## /m.exec(readme) ?? [];

/** The shell lines of the README's tour, as they stand there. */
export const tour = [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)]
  .map(([, lines]) => lines)
  .join('');

/** What the tour shows on its way, in this order of its lines. */
export const shownByTour = [
  /"name":"Rooftop Talks".*"status":"published"/,
  /"name":"Seat".*"status":"open"/,
  /^1350$/m,
  /^paid$/m,
  /"checkin":\{.*"alreadyCheckedIn":false/,
  /^true$/m,
  /"email":"eve@example.com"/,
  /^\{"sessions":\[\],"nextCursor":null\}$/m,
  /^\{"exhibitors":\[\],"nextCursor":null\}$/m,
  /"email":"ada@example.com".*"status":"cancelled"/,
  /^\{"capacity":80,"confirmed":1,"waitlisted":0,"held":0,"remaining":79\}$/m,
];
