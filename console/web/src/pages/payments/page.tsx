import { ExternalLink, KeyRound, Unplug } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useCommandRead } from '../../api/api.queries.ts';
import type { PaymentAccount } from '../../api/records.ts';
import { Button } from '../../components/ui/button.tsx';
import { CopyText } from '../../components/ui/copy.tsx';
import { GuideLink } from '../../components/ui/guide-link.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { Facts, PageHeader, Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { paymentsText as text } from '../../text/payments.ts';
import { DisconnectDialog } from './disconnect-dialog.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { situationOf, wordsOf } from './payments.rules.ts';

/** On which account payments are opened, and the ways to an account of one's own. */
export function PaymentsPage() {
  const { data, error, refetch } = useCommandRead<PaymentAccount>('paymentAccount.get', {});
  return (
    <>
      <PageHeader title={text.title} description={text.description} />
      {error && !data && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows count={3} />}
      {data && <Accounts account={data} />}
      <p className="mt-3">
        <GuideLink guide="payments" />
      </p>
    </>
  );
}

function Accounts({ account }: { account: PaymentAccount }) {
  const { setup, isConnected } = account;
  const [dialog, setDialog] = useState<'key' | 'disconnect' | null>(null);
  const connect = useConnect();
  const situation = situationOf(account);
  const words = text.states[situation];
  const close = () => setDialog(null);
  const canGoOn = setup !== null || (isConnected && situation === 'blocked');
  return (
    <div className="space-y-3">
      {connect.error && <ErrorNote error={connect.error} />}
      <Section title={text.present}>
        <p className="text-lg font-semibold">{words.title}</p>
        <p className="mb-3 text-muted">{words.text}</p>
        {account.providerAccountId !== null && (
          <Facts
            items={[
              [text.account, <AccountId key="id" id={account.providerAccountId} />],
              [text.way, isConnected ? text.ways.connected : text.ways.key],
              account.fee && isConnected
                ? [
                    text.fee,
                    text.feeOf(`${account.fee.basisPoints / 100}`, account.fee.fixedAmount),
                  ]
                : null,
              account.missing.length > 0
                ? [text.missing, <Missing key="m" of={account.missing} />]
                : null,
            ]}
          />
        )}
      </Section>
      {setup && (
        <Section
          title={text.setup}
          description={setup.canCharge ? text.setupReady : text.setupText}
        >
          <Facts
            items={[
              setup.providerAccountId === null
                ? null
                : [text.account, <AccountId key="id" id={setup.providerAccountId} />],
              setup.missing.length > 0
                ? [text.missing, <Missing key="m" of={setup.missing} />]
                : null,
            ]}
          />
        </Section>
      )}
      <div className="flex flex-wrap gap-2">
        {(canGoOn || !isConnected) && (
          <Button
            kind="primary"
            icon={ExternalLink}
            isBusy={connect.isRunning}
            onClick={connect.start}
          >
            {canGoOn ? text.goOn : text.connect}
          </Button>
        )}
        <Button icon={KeyRound} onClick={() => setDialog('key')}>
          {text.setKey}
        </Button>
        {(account.account === 'own' || setup) && (
          <Button icon={Unplug} onClick={() => setDialog('disconnect')}>
            {text.disconnect}
          </Button>
        )}
      </div>
      {dialog === 'key' && <KeyDialog path={account.notificationPath} onClose={close} />}
      {dialog === 'disconnect' && <DisconnectDialog onClose={close} />}
    </div>
  );
}

/** Opens the page of the provider, which leads back here. */
function useConnect() {
  const toast = useToast();
  const action = useAction<{ onboardingUrl: string | null }>(({ onboardingUrl }) => {
    if (onboardingUrl === null) toast(text.connected);
    else location.assign(onboardingUrl);
  });
  const start = () => {
    const returnUrl = location.href;
    void action.run({ command: 'paymentAccount.connect', input: { returnUrl } });
  };
  return { ...action, start };
}

const AccountId = ({ id }: { id: string }) => (
  <span className="inline-flex items-center gap-1">
    <CopyText text={id} label={text.copyAccount} />
  </span>
);

const Missing = ({ of }: { of: readonly string[] }) => (
  <ul>
    {of.map((each) => (
      <li key={each}>{wordsOf(each)}</li>
    ))}
  </ul>
);
