import type { DemoOperator } from '@event-api/contracts/identity-sandbox';

/**
 * Inline styles and no scripts: content of the page can never run. The form leads back to the
 * console.
 */
export const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action *; frame-ancestors 'none'; base-uri 'none'";

/**
 * The page on which a person chooses an operator, one button for each. `action` receives the choice
 * as `subject`.
 */
export const choicePage = (operators: readonly DemoOperator[], action: string): string =>
  page(
    'Sign in',
    `<h1>Sign in as</h1>
    <form method="post" action="${escaped(action)}">
      ${operators.map(button).join('\n      ')}
    </form>`,
  );

const button = ({ subject, name, email, role }: DemoOperator): string =>
  `<button name="subject" value="${escaped(subject)}"><strong>${escaped(name)}</strong>
        <span>${escaped(role ?? 'platform administrator')}</span><small>${escaped(email)}</small></button>`;

/** The page of a sign-in that has ended. */
export const endedPage = (): string =>
  page(
    'This sign-in has ended',
    '<h1>This sign-in has ended</h1><p>Go back to the console and sign in again.</p>',
  );

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

const page = (title: string, main: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>
  :root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f2f4f7, #14171c); }
  main { box-sizing: border-box; width: min(26rem, 100% - 2rem); padding: 2rem; border-radius: 1rem;
    background: light-dark(#fff, #20252d); color: light-dark(#1b1f24, #f0f2f5); box-shadow: 0 1px 8px #0003; }
  .banner { margin: -2rem -2rem 1.5rem; padding: .5rem 2rem; border-radius: 1rem 1rem 0 0;
    background: #ffd54a; color: #1b1f24; font-size: .9rem; }
  h1 { margin: 0 0 1rem; font-size: 1.5rem; }
  button { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; width: 100%; margin-bottom: .75rem; padding: .75rem;
    border: 1px solid light-dark(#8a94a3, #75808f); border-radius: .5rem; background: none; color: inherit; font: inherit;
    text-align: start; cursor: pointer; }
  small { grid-column: 1 / -1; color: light-dark(#4a5360, #b4bdc9); }
  button:focus-visible { outline: 3px solid #f59e0b; outline-offset: 2px; }
</style>
</head>
<body><main><p class="banner">Identity sandbox: it asks for no password.</p>
${main}
</main></body>
</html>
`;
