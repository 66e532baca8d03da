import { startAuthentication } from '@simplewebauthn/browser';
import { Fingerprint, LogIn } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../api/client.ts';
import { useSignInMethods } from '../../api/session.ts';
import { signInText } from '../../text/shell.ts';
import { Button } from './button.tsx';
import { ErrorNote, Skeleton } from './states.tsx';

/**
 * The ways to sign in. `onStart` opens an address of the server; a passkey signs in without leaving
 * the page.
 */
export function SignInOptions({
  returnTo,
  onStart,
  onSignedIn,
}: {
  returnTo: string;
  onStart: (href: string) => void;
  onSignedIn: () => void;
}) {
  const methods = useSignInMethods();
  if (methods.isPending) return <Skeleton className="h-9 w-full" />;
  if (methods.error) {
    return <ErrorNote error={methods.error} onRetry={() => void methods.refetch()} />;
  }
  const { oidc, passkeys, demo } = methods.data;
  const target = `returnTo=${encodeURIComponent(returnTo)}`;
  return (
    <div className="flex flex-col gap-2">
      {oidc && (
        <Button
          kind="primary"
          icon={LogIn}
          className="min-h-10"
          onClick={() => onStart(`/api/sign-in?${target}`)}
        >
          {signInText.with(oidc.label)}
        </Button>
      )}
      {passkeys && <PasskeyButton onSignedIn={onSignedIn} />}
      {!oidc && !passkeys && demo.length === 0 && <p>{signInText.noMethod}</p>}
      {demo.length > 0 && (
        <section aria-label={signInText.demo} className="mt-4 flex flex-col gap-2">
          <h2 className="font-semibold">{signInText.demo}</h2>
          <p className="text-muted">{signInText.demoHint}</p>
          <div className="flex flex-wrap gap-2">
            {demo.map(({ label, href }) => (
              <Button
                key={label}
                onClick={() => onStart(`${href}${href.includes('?') ? '&' : '?'}${target}`)}
              >
                {label}
              </Button>
            ))}
          </div>
        </section>
      )}
    </div>
  );
}

function PasskeyButton({ onSignedIn }: { onSignedIn: () => void }) {
  const client = useClient();
  const [isFailed, setFailed] = useState(false);
  const signIn = async () => {
    setFailed(false);
    try {
      const path = '/api/passkeys/sign-in';
      const optionsJSON = await client.request<never>({
        method: 'POST',
        path: `${path}/options`,
        body: {},
      });
      const response = await startAuthentication({ optionsJSON });
      await client.request({ method: 'POST', path, body: { response } });
      onSignedIn();
    } catch {
      setFailed(true);
    }
  };
  return (
    <>
      <Button icon={Fingerprint} className="min-h-10" onClick={() => void signIn()}>
        {signInText.passkey}
      </Button>
      {isFailed && (
        <p role="alert" className="text-red">
          {signInText.passkeyFailed}
        </p>
      )}
    </>
  );
}
