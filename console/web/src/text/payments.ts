export const paymentsText = {
  title: 'Payments',
  description: 'Where the money of your buyers goes.',
  present: 'Present account',
  states: {
    platform: {
      title: 'Payments go to the account of the platform',
      text: 'Connect an account of your own to receive them yourself. Open payment pages stay where they are.',
    },
    missing: {
      title: 'You can sell free tickets only',
      text: 'Orders that cost something are refused until you connect an account.',
    },
    own: {
      title: 'Payments go to your own account',
      text: 'The payment provider accepts payments for it.',
    },
    blocked: {
      title: 'The payment provider accepts no payments for your account',
      text: 'Orders that cost something are refused. Enter what is missing at the provider.',
    },
  },
  account: 'Account',
  copyAccount: 'Copy the id of the account',
  way: 'Connected',
  ways: { connected: 'By the payment provider', key: 'By a secret key' },
  fee: 'Fee of the platform',
  feeOf: (percent: string, fixedAmount: number) =>
    `${percent} %${fixedAmount > 0 ? ` and ${fixedAmount} minor units` : ''} of each payment`,
  missing: 'What is missing',
  setup: 'Account that is being set up',
  setupText: 'Payments go there as soon as the provider accepts them.',
  setupReady: 'The provider accepts payments for it now. Go on to use it.',
  connect: 'Set up an account',
  goOn: 'Go on at the provider',
  connected: 'Payments go to your own account now',
  setKey: 'Use a secret key',
  keyTitle: 'Connect your account by its secret key',
  keyHelp:
    'A restricted key is enough: it writes checkout sessions and refunds, and reads the account.',
  secretKey: 'Secret key',
  webhookSecret: 'Signing secret of the endpoint',
  webhookHelp:
    'Add an endpoint at the provider with the address of this platform and the path below.',
  path: 'Path of the endpoint',
  copyPath: 'Copy the path of the endpoint',
  keyConnect: 'Connect the account',
  keySaved: 'The account is connected',
  disconnect: 'Disconnect',
  disconnectTitle: 'Disconnect the account?',
  disconnectText:
    'New payments are not opened on it, and a setup ends. Pages that are open stay payable, and payments are refunded there.',
  disconnectConfirm: 'Disconnect the account',
  disconnected: 'The account is disconnected',
} as const;
