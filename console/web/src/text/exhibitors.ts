import { plural } from '../format/count.ts';
import { statusText } from './status.ts';

export const exhibitorsText = {
  title: 'Exhibitors',
  description: 'Companies with their booths and the people who staff them.',
  views: { companies: 'Companies', booths: 'Booths' },
  viewsLabel: 'Parts of the exhibition',
  add: 'Add a company',
  create: 'Create the company',
  created: (name: string) => `${name} is created`,
  saved: (name: string) => `${name} is saved`,
  edit: 'Edit',
  editTitle: (name: string) => `Edit ${name}`,
  empty: 'No exhibitors yet',
  emptyText: 'A new company is pending until you confirm or decline it.',
  emptyFiltered: 'No company has this status',
  byStatus: 'Companies by status',
  figures: {
    title: 'Figures of the exhibition',
    pending: 'Waiting',
    pendingHint: 'For a decision',
    booths: 'Booths',
    boothsHint: 'Allocated',
    withoutBooth: 'Without a booth',
    withoutBoothHint: 'Confirmed companies',
    staff: 'Staff',
    staffHint: 'On the rosters',
  },
  panel: 'Exhibitor',
  fields: { name: 'Company', description: 'Description', website: 'Website' },
  confirm: 'Confirm',
  decline: 'Decline',
  declineTitle: (name: string) => `Decline ${name}?`,
  declineText: (booths: number, members: number) =>
    `${
      booths === 0
        ? 'It has no booth'
        : `Its ${plural(booths, 'booth stays', 'booths stay')} occupied until you release ${booths === 1 ? 'it' : 'them'}`
    }, and ${
      members === 0
        ? 'nobody is on its roster'
        : `${plural(members, 'person stays', 'people stay')} on its roster`
    }. You can confirm it again.`,
  declineConfirm: (name: string) => `Decline ${name}`,
  confirmed: (name: string) => `${name} is confirmed`,
  declined: (name: string) => `${name} is declined`,
  roster: 'Roster',
  rosterText: 'The people who staff the company. A person staffs one company at most.',
  noRoster: 'Nobody yet',
  addPerson: 'Add a person',
  newPerson: 'Register a person for the company',
  notRegistered: 'Not registered for the event yet?',
  registerPerson: 'Register a person',
  registerAndAdd: 'Register and add to the roster',
  email: 'Email',
  name: 'Name',
  ticket: 'Ticket',
  ticketHelp: 'The one that the staff of the booth gets',
  registered: (name: string, status: keyof typeof statusText.registration) =>
    status === 'confirmed'
      ? `${name} is registered and on the roster`
      : `${name} is on the roster; the registration is ${statusText.registration[status].toLowerCase()}`,
  findPerson: 'Name, email or badge code',
  role: 'Role',
  roleDefault: 'Staff',
  found: 'People found',
  noneFound: 'Nobody fits',
  addToRoster: (name: string) => `Add ${name}`,
  added: (name: string) => `${name} is on the roster`,
  removePerson: (name: string) => `Remove ${name} from the roster`,
  removedPerson: (name: string) => `${name} is off the roster`,
  booths: 'Booths',
  noBooths: 'No booths yet',
  noBoothsText: 'A booth is allocated on the page of its company.',
  toCompanies: 'Go to the companies',
  addBooth: 'Allocate a booth',
  boothFields: {
    number: 'Number',
    numberHelp: 'Unique in the event',
    type: 'Type',
    typeHelp: 'Such as corner, row or island',
    room: 'Room',
  },
  allocate: 'Allocate',
  allocated: (number: string) => `Booth ${number} is allocated`,
  release: (number: string) => `Release booth ${number}`,
  released: (number: string) => `Booth ${number} is released`,
  columns: {
    number: 'Booth',
    type: 'Type',
    room: 'Room',
    company: 'Company',
    status: 'Status',
    booths: 'Booths',
    staff: 'Staff',
  },
  sortBy: 'Sort by',
  history: {
    created: 'Added',
    operations: {
      'exhibitor.addMember': 'A person was put on the roster',
      'exhibitor.removeMember': 'A person was taken off the roster',
    },
  },
} as const;
