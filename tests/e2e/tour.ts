import { readFileSync } from 'node:fs';
import { apiOperations } from '@event-api/contracts/http/operations';

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const shellLines = (markdown: string) =>
  [...markdown.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, lines]) => lines).join('');

const page = textOf('docs/tour.md');

/** The shell commands of docs/tour.md, unchanged. */
export const tour = shellLines(page);

/** The first commands, which set the address and the key. */
export const tourSetup = shellLines(`${page.split('\n```\n')[0]}\n\`\`\`\n`);

/** Values that the tour prints, in the order of its commands. */
export const printedByTour = [
  /"name":"Rooftop Talks".*"status":"published"/,
  /"name":"Seat".*"status":"open"/,
  /^1350$/m,
  /^paid$/m,
  /"checkin":\{.*"alreadyCheckedIn":false/,
  /^true$/m,
  /^vegan$/m,
  /^2027-09-01T21:00:00.000Z$/m,
  /"name":"Press".*"status":"open"/,
  /"registrations":\[\{.*"email":"jan@example.com".*"email":"ida@example.com".*"status":"pending"/,
  /"email":"ida@example.com".*"status":"confirmed"/,
  /"email":"jan@example.com".*"status":"rejected".*"rejectionReason":"No desk left"/,
  /"name":"Press".*"counts":\{"confirmed":1,"waitlisted":0\}/,
  /^CHK-\w{16}$/m,
  /^BADGE_REPLACED$/m,
  /"email":"jo@example.com".*"status":"cancelled"/,
  /^\{"capacity":80,"confirmed":2,"waitlisted":0,"held":0,"remaining":78\}$/m,
  /^1$/m,
  /"uses":1,.*"status":"disabled"/,
  /"error":\{"code":404/,
  /"name":"Dinner".*"status":"open".*"priceAmount":2500/,
  /"name":"The whole evening",[^}]*"priceAmount":3500/,
  /^Nia & Sons Ltd$/m,
  /^assigned\nconfirmed\nord_\w{26}$/m,
  /"name":"A place at the table".*"sources":\[\{"type":"addon"/,
  /^quoted$/m,
  /^cancelled$/m,
  /"venues":\[\{.*"name":"Winter garden"/,
  /^Winter garden$/m,
  /^The whole evening$/m,
  /"sessions":\[\{.*"title":"Dinner"/,
  /^Dinner$/m,
  /"speakers":\[\{.*"name":"Grace Hopper".*"sessionIds":\["ses_/,
  /^Rear admiral$/m,
  /"subjectType":"session".*"method":"manual".*"alreadyCheckedIn":false/,
  /GATE_CLOSED/,
  /"checkins":\[\{[^}]*"subjectType":"session"[^}]*\}\]/,
  /^manual\nGATE_CLOSED\n20\S+Z$/m,
  /^Winter garden\n0\n3$/m,
  /^subjectId$/m,
  /^Analytical Engines$/m,
  /"members":\[\{.*"role":"Host".*"booths":\[\{.*"number":"A12"/,
  /"events":\[\{.*"name":"Rooftop Talks"/,
  /'Seat: 2'/,
  /"addons":\[\{.*"name":"Dinner"/,
  /"bundles":\[\{.*"name":"The whole evening"/,
  /"orders":\[\{.*"email":"leo@example.com".*"nextCursor":"/,
  /^1$/m,
  /^0$/m,
  /'mia@example.com confirmed'/,
  /^1$/m,
  /AGENDA_RESET_UNCONFIRMED/,
  /^2027-09-02T17:00:00.000Z$/m,
  /^\{"sessions":\[\],"nextCursor":null\}$/m,
  /^archived$/m,
  /^enabled$/m,
  /^ping\nevent.created\n.*^order.created\n.*^order.paid$/ms,
  /^connect$/m,
  /^ticket_type.closed$/m,
  /^requested$/m,
  /<title>.*Event Developer API<\/title>/,
];

/** Returns the operations of the API that the `set -x` output of a shell does not contain. */
export function uncoveredOperations(trace: string): string[] {
  const requests = [...trace.matchAll(/^\++ curl .*$/gm)].map(([line]) => requestOf(line));
  const isCovered = ({ method, url }: (typeof apiOperations)[number]) => {
    const path = new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+')}$`);
    return requests.some((request) => request.method === method && path.test(request.path));
  };
  return apiOperations.filter((one) => !isCovered(one)).map(({ config }) => config.operationId);
}

function requestOf(line: string): { method: string; path: string } {
  const [, explicitMethod] = / -X (\w+)/.exec(line) ?? [];
  const [, path = ''] = /http:\/\/[^/ ]+(\/[^?' ]*)/.exec(line) ?? [];
  return { method: explicitMethod ?? (line.includes(' -d ') ? 'POST' : 'GET'), path };
}
