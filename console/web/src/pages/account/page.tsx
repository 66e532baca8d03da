import { useSession, useSignInMethods } from '../../api/session.ts';
import { CopyText } from '../../components/ui/copy.tsx';
import { TextLink } from '../../components/ui/link.tsx';
import { Facts, PageHeader, Section } from '../../components/ui/surface.tsx';
import { paths } from '../../format/paths.ts';
import { accountText as text } from '../../text/account.ts';
import { common } from '../../text/common.ts';
import { detailText } from '../../text/detail.ts';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';

/** The signed-in operator: profile, sessions and passkeys. */
export function AccountPage() {
  const session = useSession().data;
  const hasPasskeys = useSignInMethods().data?.passkeys ?? false;
  if (!session) return null;
  const { id, name, email, platformAdmin } = session.operator;
  return (
    <>
      <PageHeader title={text.title} />
      <div className="flex flex-col gap-4">
        <Section title={text.profile}>
          <Facts
            items={[
              [text.name, name],
              [text.email, email ?? common.noValue],
              [text.id, <CopyText key="id" text={id} label={detailText.copyId} />],
              platformAdmin ? [text.platformAdmin, text.isPlatformAdmin] : null,
              session.units.length === 0
                ? null
                : [
                    text.units,
                    <ul key="units" className="flex flex-wrap gap-x-4 gap-y-1">
                      {session.units.map((unit) => (
                        <li key={unit.id}>
                          <TextLink href={paths.events(unit.id)}>{unit.name}</TextLink>
                        </li>
                      ))}
                    </ul>,
                  ],
            ]}
          />
        </Section>
        <Sessions />
        {hasPasskeys && <Passkeys />}
      </div>
    </>
  );
}
