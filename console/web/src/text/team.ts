export const roleText = {
  owner: {
    label: 'Owner',
    help: 'Everything, with the team, API keys, webhooks and the audit log',
  },
  organizer: { label: 'Organizer', help: 'Events, tickets, people, codes, program and doors' },
  finance: { label: 'Finance', help: 'Orders, refunds and refund policies; reads the rest' },
  door: { label: 'Door', help: 'Check-ins, badges and scanners; reads people' },
  viewer: { label: 'Viewer', help: 'Reads events, people and orders; changes nothing' },
} as const;

export const teamText = {
  title: 'Team',
  description: 'The people who work in this business unit, each with a role.',
  members: 'Members',
  columns: { name: 'Name', email: 'Email', role: 'Role', joined: 'Member since', actions: '' },
  you: 'you',
  invite: 'Invite a person',
  inviteButton: 'Create the link',
  role: 'Role',
  email: 'Email',
  emailHelp:
    'Only a person with this verified address can accept. Without it, everyone with the link can.',
  linkTitle: 'Send this link now',
  linkText:
    'It is not shown again. It is valid for seven days and can be accepted once. Anyone who has it may become a member.',
  linkForEmail: (email: string) =>
    `It is not shown again. It is valid for seven days, and only ${email} can accept it.`,
  copyLink: 'Copy the link',
  changeRole: 'Change the role',
  changeRoleOf: (name: string) => `Change the role of ${name}`,
  actionsOf: (name: string) => `Actions for ${name}`,
  saveRole: 'Save the role',
  roleChanged: (name: string, role: string) => `${name} is now ${role}`,
  remove: 'Remove from the team',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText:
    'The next request of this person to the business unit is rejected. What the person has done stays in the audit log.',
  removeConfirm: (name: string) => `Remove ${name}`,
  removed: (name: string) => `${name} is no longer a member`,
  invitations: 'Open invitations',
  invitationColumns: {
    email: 'For',
    role: 'Role',
    created: 'Created',
    expires: 'Valid until',
    actions: '',
  },
  anybody: 'Anyone with the link',
  noInvitations: 'No open invitations',
  noInvitationsText: 'A link that was not accepted yet appears here, so that you can revoke it.',
  revoke: 'Revoke',
  revokeTitle: 'Revoke the invitation?',
  revokeText: 'Its link is no longer valid. You can invite the person again.',
  revokeConfirm: (who: string) => `Revoke the invitation of ${who}`,
  revoked: 'The invitation is revoked',
} as const;
