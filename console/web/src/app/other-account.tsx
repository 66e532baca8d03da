import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Session, sessionKey } from '../api/session.ts';
import { Button } from '../components/ui/button.tsx';
import { Dialog } from '../components/ui/dialog.tsx';
import { SignInOptions } from '../components/ui/sign-in-options.tsx';
import { signInText } from '../text/shell.ts';

/**
 * Says that another account is signed in than the one that has typed on the page. The page stays as
 * it is until the person chooses: the account from before, or the new one, for which the page
 * begins again.
 */
export function OtherAccount({ before, now }: { before: Session; now: Session }) {
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(true);
  useEffect(() => {
    const check = () => void queries.invalidateQueries({ queryKey: sessionKey });
    const channel = new BroadcastChannel('signed-in');
    channel.onmessage = check;
    window.addEventListener('focus', check);
    return () => {
      channel.close();
      window.removeEventListener('focus', check);
    };
  }, [queries]);
  const [old, own] = [before.operator.name, now.operator.name];
  return (
    <Dialog
      isOpen={isOpen}
      isHeld
      onClose={() => setOpen(false)}
      title={signInText.otherTitle(own)}
      description={signInText.otherText(old, own)}
      footer={
        <Button kind="danger" onClick={() => window.location.reload()}>
          {signInText.otherContinue(own)}
        </Button>
      }
    >
      <h3 className="mb-2 font-medium">{signInText.otherAgain(old)}</h3>
      <SignInOptions
        returnTo="/signed-in"
        onStart={(href) => window.open(href, 'sign-in', 'width=520,height=640')}
        onSignedIn={() => void queries.invalidateQueries({ queryKey: sessionKey })}
      />
    </Dialog>
  );
}
