import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { sessionKey, useSession } from '../../api/session.ts';
import { SignInOptions } from '../../components/ui/sign-in-options.tsx';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { signInText } from '../../text/shell.ts';

/** Only addresses of this console: an address of another site could pretend to be it. */
const localPath = (path: string | undefined): string =>
  path?.startsWith('/') && !path.startsWith('//') && !path.includes('\\') ? path : '/';

export function SignInPage() {
  const session = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [search] = useSearchState();
  const returnTo = localPath(search.returnTo);
  useEffect(() => {
    if (session.data) void navigate({ to: returnTo, replace: true });
  }, [session.data, navigate, returnTo]);
  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center px-4 py-12">
      <img src="/icon.svg" alt="" className="mb-4 size-10" />
      <h1 className="mb-6 text-xl font-semibold">{signInText.title}</h1>
      <SignInOptions
        returnTo={returnTo}
        onStart={(href) => window.location.assign(href)}
        onSignedIn={() => void queries.invalidateQueries({ queryKey: sessionKey })}
      />
    </main>
  );
}

/** The end of a sign-in in another window: the page that has opened it goes on. */
export function SignedInPage() {
  useEffect(() => {
    const channel = new BroadcastChannel('signed-in');
    channel.postMessage('signed-in');
    channel.close();
    window.close();
  }, []);
  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center px-4">
      <h1 className="text-xl font-semibold">{signInText.signedIn}</h1>
      <p className="text-muted">{signInText.signedInText}</p>
    </main>
  );
}
