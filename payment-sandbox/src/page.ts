import type { ConnectedAccount, Dispute, Session } from './sessions.ts';

/** Inline styles and no scripts: content of the page can never run. */
export const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action *; frame-ancestors 'none'; base-uri 'none'";

/** The hosted payment page of a session. Every value from outside is escaped. */
export function paymentPage(session: Session, action: string, note: string | null): string {
  const amount = formatted(session.amount, session.currency);
  return page(
    `Pay ${amount}`,
    `<p class="shop">${escaped(session.title)}</p>
    <h1>${escaped(amount)}</h1>
    <dl>
      <dt>Order</dt><dd>${escaped(session.orderNumber)}</dd>
      <dt>Buyer</dt><dd>${escaped(session.email)}</dd>
      <dt>Payable until</dt><dd><time datetime="${escaped(session.expiresAt)}">${escaped(until(session.expiresAt))}</time></dd>
    </dl>
    ${note === null ? '' : `<p role="alert">${escaped(note)}</p>`}
    <form method="post" action="${escaped(action)}/pay"><button class="pay" autofocus>Pay ${escaped(amount)}</button></form>
    <form method="post" action="${escaped(action)}/decline"><button>Try a card that is declined</button></form>
    <p><a rel="noreferrer" href="${escaped(session.cancelUrl)}">Go back without paying</a></p>`,
  );
}

/** What can be done with a payment. */
interface PaymentState {
  left: number;
  action: string;
  dispute: Dispute | null;
}

/**
 * The page of a session that can no longer be paid, or of an unknown session. `left` of a payment can
 * be refunded, and a payment can be disputed.
 */
export function closedPage(
  session: Session | null,
  { left, action, dispute }: PaymentState = { left: 0, action: '', dispute: null },
): string {
  if (!session) return page('No such page', '<h1>There is nothing to pay here</h1>');
  const isPaid = session.state === 'paid';
  const target = isPaid ? session.successUrl : session.cancelUrl;
  return page(
    isPaid ? 'Paid' : 'No longer payable',
    `<p class="shop">${escaped(session.title)}</p>
    <h1>${isPaid ? 'This is paid' : 'This can no longer be paid'}</h1>
    <p>Order ${escaped(session.orderNumber)}</p>
    ${isPaid ? '' : '<p>The order was cancelled, or its time is over. Nothing was charged.</p>'}
    ${left === 0 ? '' : `<form method="post" action="${escaped(action)}/refund"><button>Refund ${escaped(formatted(left, session.receivedCurrency ?? session.currency))} as the merchant does at the provider</button></form>`}
    ${isPaid && action !== '' ? disputeForms(action, dispute) : ''}
    <p><a rel="noreferrer" href="${escaped(target)}">Back to the shop</a></p>`,
  );
}

/** A buyer disputes a payment at the bank, which then decides about the dispute. */
function disputeForms(action: string, dispute: Dispute | null): string {
  const form = (status: string, text: string) =>
    `<form method="post" action="${escaped(action)}/dispute?status=${status}"><button>${text}</button></form>`;
  if (!dispute) return form('needs_response', 'Dispute the payment as the buyer does at the bank');
  if (dispute.status === 'won' || dispute.status === 'lost') {
    return `<p>The dispute of the payment is ${dispute.status}.</p>`;
  }
  return `${form('won', 'Decide the dispute for the merchant')}${form('lost', 'Decide the dispute for the buyer')}`;
}

/** The page on which the owner of a connected account sets it up, and can block it again. */
export function accountPage(account: ConnectedAccount | null, returnUrl: string): string {
  if (!account) return page('No such account', '<h1>There is no such account</h1>');
  const { id, canCharge } = account;
  const action = `?canCharge=${canCharge ? 0 : 1}&returnUrl=${encodeURIComponent(returnUrl)}`;
  return page(
    'Payment account',
    `<p class="shop">Account ${escaped(id)}</p>
    <h1>${canCharge ? 'This account accepts payments' : 'Set up your payment account'}</h1>
    <p>${canCharge ? 'A provider can stop this when it needs more from you.' : 'A real provider asks for your name, your address and your bank account here.'}</p>
    <form method="post" action="${escaped(action)}"><button${canCharge ? '' : ' class="pay" autofocus'}>${canCharge ? 'Accept no more payments' : 'Enter all that is needed'}</button></form>
    <p><a rel="noreferrer" href="${escaped(returnUrl)}">Go back</a></p>`,
  );
}

/** An error page for a buyer. */
export const errorPage = (code: number, message: string): string =>
  page(`Error ${code}`, `<h1>Error ${code}</h1><p role="alert">${escaped(message)}</p>`);

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

function formatted(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}

const until = (expiresAt: string): string =>
  `${new Date(expiresAt).toISOString().slice(11, 16)} UTC`;

const page = (title: string, main: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>
  :root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f2f4f7, #14171c); }
  main { box-sizing: border-box; width: min(26rem, 100% - 2rem); padding: 2rem; border-radius: 1rem;
    background: light-dark(#fff, #20252d); color: light-dark(#1b1f24, #f0f2f5); box-shadow: 0 1px 8px #0003; }
  .banner { margin: -2rem -2rem 1.5rem; padding: .5rem 2rem; border-radius: 1rem 1rem 0 0;
    background: #ffd54a; color: #1b1f24; font-size: .9rem; }
  .shop { margin: 0; color: light-dark(#4a5360, #b4bdc9); overflow-wrap: anywhere; }
  h1 { margin: 0 0 1rem; font-size: 2rem; }
  dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 0 0 1.5rem; }
  dt { color: light-dark(#4a5360, #b4bdc9); } dd { margin: 0; overflow-wrap: anywhere; }
  button { width: 100%; margin-bottom: .75rem; padding: .75rem; border: 1px solid light-dark(#8a94a3, #75808f); border-radius: .5rem;
    background: none; color: inherit; font: inherit; cursor: pointer; }
  button.pay { border: 0; background: #0b57d0; color: #fff; font-weight: 600; }
  button:focus-visible, a:focus-visible { outline: 3px solid #f59e0b; outline-offset: 2px; }
  [role=alert] { padding: .75rem; border-radius: .5rem; background: #b3261e; color: #fff; }
  a { color: light-dark(#0b57d0, #8ab4f8); }
</style>
</head>
<body><main><p class="banner">Payment sandbox: no real money moves here.</p>
${main}
</main></body>
</html>
`;
