export const invitationText = {
  title: 'You are invited to the console',
  text: 'Sign in, then accept the invitation. The link can be used once.',
  accept: 'Accept the invitation',
  newHere: 'New here?',
  newHereText:
    'Create a passkey with this device. It signs you in from now on, without a password.',
  name: 'Your name',
  createPasskey: 'Create a passkey',
  missing: 'The link is incomplete. Ask for it again, and open all of it.',
} as const;
