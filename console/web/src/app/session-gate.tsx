import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { ClientProvider, createClient } from '../api/client.ts';
import { type Session, sessionQuery } from '../api/session.ts';
import { Button } from '../components/ui/button.tsx';
import { Dialog } from '../components/ui/dialog.tsx';
import { SignInOptions } from '../components/ui/sign-in-options.tsx';
import { signInText } from '../text/shell.ts';
import { isOtherOperator } from './session-rules.ts';

/** Lets one sign-in serve all requests that have found the session ended. */
function createGate() {
  let pending: { promise: Promise<boolean>; finish: (isSignedIn: boolean) => void } | null = null;
  let onChange: (isOpen: boolean) => void = () => {};
  return {
    subscribe(listener: (isOpen: boolean) => void) {
      onChange = listener;
    },
    signInAgain(): Promise<boolean> {
      if (!pending) {
        const { promise, resolve } = Promise.withResolvers<boolean>();
        pending = { promise, finish: resolve };
        onChange(true);
      }
      return pending.promise;
    },
    finish(isSignedIn: boolean) {
      pending?.finish(isSignedIn);
      pending = null;
      onChange(false);
    },
  };
}

/**
 * Provides the client. When the session ends in the middle of work, a dialog offers to sign in in
 * another window; the page stays as it is, and the request goes on afterwards. It does not go on as
 * another account.
 */
export function SessionGate({ children }: { children: ReactNode }) {
  const [gate] = useState(createGate);
  const [client] = useState(() => createClient(gate.signInAgain));
  const [isOpen, setOpen] = useState(false);
  const queries = useQueryClient();
  useEffect(() => {
    // Every page needs the session, and its own code loads meanwhile.
    void queries.prefetchQuery(sessionQuery(client));
  }, [queries, client]);
  useEffect(() => gate.subscribe(setOpen), [gate]);
  // Who was signed in when the session ended.
  const before = useRef<Session | null>(null);
  const { data: session } = useQuery({ ...sessionQuery(client), enabled: false });
  if (session && !isOpen) before.current = session;

  const check = useCallback(async () => {
    const session = await queries.fetchQuery({ ...sessionQuery(client), staleTime: 0 });
    if (session) gate.finish(!isOtherOperator(before.current, session));
  }, [gate, queries, client]);
  useEffect(() => {
    if (!isOpen) return;
    const onFocus = () => void check();
    const channel = new BroadcastChannel('signed-in');
    channel.onmessage = onFocus;
    window.addEventListener('focus', onFocus);
    return () => {
      channel.close();
      window.removeEventListener('focus', onFocus);
    };
  }, [isOpen, check]);

  return (
    <ClientProvider value={client}>
      {children}
      <Dialog
        isOpen={isOpen}
        onClose={() => gate.finish(false)}
        title={signInText.ended}
        description={signInText.endedText}
        footer={
          <Button onClick={() => window.dispatchEvent(new Event('focus'))}>
            {signInText.check}
          </Button>
        }
      >
        <SignInOptions
          returnTo="/signed-in"
          onStart={(href) => window.open(href, 'sign-in', 'width=520,height=640')}
          onSignedIn={() => void check()}
        />
      </Dialog>
    </ClientProvider>
  );
}
