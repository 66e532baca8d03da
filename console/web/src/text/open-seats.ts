import { plural } from '../format/count.ts';

/** Seats that were sold without a name. */
export const openSeatsText = {
  seat: (place: number) => `Seat ${place}`,
  open: 'Open',
  notYet: 'It can be assigned when the order is paid.',
  count: (count: number) => `${plural(count, 'seat is', 'seats are')} sold without a name`,
  assign: 'Assign',
  assignSeat: (place: number) => `Assign seat ${place}`,
  assignFromList: 'Assign from a list',
  assignTitle: (place: number, item: string) => `Assign seat ${place}, ${item}`,
  assignHelp: 'The person is registered with this seat and gets a badge. No money moves.',
  answersHelp: 'Leave all questions empty to take the answers of the order.',
  assigned: (name: string) => `${name} has the seat`,
  email: 'Email',
  name: 'Name',
  listTitle: (number: string) => `Assign seats of ${number}`,
  listHelp: (count: number) =>
    count === 0 ? 'Every seat has a person.' : `${plural(count, 'seat is', 'seats are')} open.`,
  forItem: 'Tickets',
  openOf: (name: string, count: number) => `${name}, ${count} open`,
  people: 'People',
  peopleHelp:
    'One per line: email and name, divided by a comma, a semicolon or a tab. A table can be pasted as it is, with its heading.',
  example: 'ada@example.com, Ada Lovelace',
  plan: 'What will happen',
  fixFirst: 'Correct or remove the lines with a problem. Nothing is assigned before.',
  person: ({ email, name }: { email: string; name: string | null }) =>
    name === null ? email : `${name}, ${email}`,
  line: (line: number, words: string) => `Line ${line}: ${words}`,
  gets: (place: number, item: string) => `gets seat ${place}, ${item}`,
  has: (place: number, item: string) => `has seat ${place}, ${item}`,
  header: 'is the heading, and nobody',
  noEmail: 'has no email',
  badEmail: (email: string) => `“${email}” is no email address`,
  repeated: (line: number) => `has the email of line ${line}`,
  noSeat: 'no open seat is left',
  assignMany: (count: number) =>
    count === 0 ? 'Assign' : `Assign ${plural(count, 'seat', 'seats')}`,
  result: 'What has happened',
  progress: (done: number, total: number) => `${done} of ${total} lines are done`,
  stop: 'Stop',
  correct: (count: number) => `Correct ${plural(count, 'line', 'lines')}`,
} as const;
