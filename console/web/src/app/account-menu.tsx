import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleUserRound, LogOut, Settings } from 'lucide-react';
import { useClient } from '../api/client.ts';
import type { Session, SessionUnit } from '../api/session.ts';
import { ActionMenu } from '../components/ui/menu.tsx';
import { paths } from '../format/paths.ts';
import { shellText } from '../text/shell.ts';
import { commandsItem } from './navigation.ts';

export function AccountMenu({ session, unit }: { session: Session; unit: SessionUnit | null }) {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const signOut = async () => {
    await client.request({ method: 'POST', path: '/api/sign-out', body: {} }).catch(() => {});
    queries.clear();
    await navigate({ to: paths.signIn() });
  };
  const commands = commandsItem(session, unit);
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
        commands && {
          label: commands.label,
          icon: commands.icon,
          onSelect: () => void navigate({ to: commands.href }),
        },
        { label: shellText.signOut, icon: LogOut, onSelect: () => void signOut() },
      ]}
    />
  );
}
