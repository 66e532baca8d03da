import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleUserRound, LogOut, Settings } from 'lucide-react';
import { useClient } from '../api/client.ts';
import type { Session } from '../api/session.ts';
import { ActionMenu } from '../components/ui/menu.tsx';
import { paths } from '../format/paths.ts';
import { shellText } from '../text/shell.ts';

export function AccountMenu({ session }: { session: Session }) {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const signOut = async () => {
    await client.request({ method: 'POST', path: '/api/sign-out', body: {} }).catch(() => {});
    queries.clear();
    await navigate({ to: paths.signIn() });
  };
  return (
    <ActionMenu
      label={`${shellText.account}: ${session.operator.name}`}
      icon={CircleUserRound}
      actions={[
        {
          label: shellText.account,
          icon: Settings,
          onSelect: () => void navigate({ to: paths.account() }),
        },
        { label: shellText.signOut, icon: LogOut, onSelect: () => void signOut() },
      ]}
    />
  );
}
