import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../../api/client.ts';
import { sessionKey, useSession, useSignInMethods } from '../../api/session.ts';
import { Button } from '../../components/ui/button.tsx';
import { SignInOptions } from '../../components/ui/sign-in-options.tsx';
import { ErrorNote } from '../../components/ui/states.tsx';
import { paths } from '../../format/paths.ts';
import { invitationText as text } from '../../text/invitation.ts';
import { NewOperator } from './new-operator.tsx';

const storageKey = 'invitation';

/**
 * The secret of the link. The fragment does not survive the sign-in, so this tab stores it until it
 * is accepted.
 */
function readToken(): string | null {
  const fragment = window.location.hash.slice(1);
  if (fragment) {
    sessionStorage.setItem(storageKey, fragment);
    window.history.replaceState(null, '', window.location.pathname);
  }
  return sessionStorage.getItem(storageKey);
}

/**
 * Accepts an invitation, after a sign-in, and goes to its unit. That of an administrator has none.
 */
export function InvitationPage() {
  const [token] = useState(readToken);
  const [error, setError] = useState<Error | null>(null);
  const session = useSession();
  const methods = useSignInMethods();
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const onSignedIn = () => void queries.invalidateQueries({ queryKey: sessionKey });
  const accept = async () => {
    setError(null);
    try {
      const { businessUnitId } = await client.request<{ businessUnitId: string | null }>({
        method: 'POST',
        path: '/api/invitations/accept',
        body: { token },
      });
      sessionStorage.removeItem(storageKey);
      await queries.invalidateQueries({ queryKey: sessionKey });
      await navigate({ to: businessUnitId === null ? '/' : paths.unit(businessUnitId) });
    } catch (failure) {
      setError(failure as Error);
    }
  };
  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center gap-4 px-4 py-12">
      <h1 className="text-xl font-semibold">{text.title}</h1>
      <p className="text-muted">{token ? text.text : text.missing}</p>
      {error && <ErrorNote error={error} />}
      {token && session.data && (
        <Button kind="primary" onClick={() => void accept()}>
          {text.accept}
        </Button>
      )}
      {token && session.data === null && (
        <SignInOptions
          returnTo="/invitation"
          onStart={(href) => window.location.assign(href)}
          onSignedIn={onSignedIn}
        />
      )}
      {token && session.data === null && methods.data?.passkeys && (
        <NewOperator invitation={token} onSignedIn={onSignedIn} />
      )}
    </main>
  );
}
