export const invitationText = {
  title: 'You are invited to the console',
  text: 'Sign in, then accept the invitation. The link can be used once.',
  accept: 'Accept the invitation',
  missing: 'The link is incomplete. Ask for it again, and open all of it.',
} as const;
