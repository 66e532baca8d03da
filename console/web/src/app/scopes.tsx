import { Outlet, useMatches, useParams, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../api/api.queries.ts';
import { ApiError } from '../api/error.ts';
import type { Event } from '../api/records.ts';
import { type Session, type SessionUnit, useSession } from '../api/session.ts';
import { EventProvider, UnitProvider, UnitZoneProvider } from '../api/unit.ts';
import { sharedZone, useUnitEvents } from '../api/unit-zone.ts';
import { Empty, ErrorNote, SkeletonRows } from '../components/ui/states.tsx';
import { paths } from '../format/paths.ts';
import { shellText } from '../text/shell.ts';
import { CancelledNotice } from './cancelled-notice.tsx';
import { NotFound, NotPermitted, PageRefused } from './failure.tsx';
import { lastUnitOf, rememberUnit } from './last-unit.ts';
import { refusedPage } from './navigation-rules.ts';
import { OtherAccount } from './other-account.tsx';
import { publicHref } from './private-history.rules.ts';
import { Redirect } from './redirect.tsx';
import { isOtherOperator } from './session-rules.ts';
import { Shell } from './shell.tsx';

/**
 * The session, or what stands in its place: loading, an error, or the way to the sign-in. A page
 * that is open stays when the session ends, with all that was typed in it: the next request asks
 * for a sign-in in place. It also stays when another account signs in, until the person chooses.
 */
function WithSession({ children }: { children: (session: Session) => React.ReactNode }) {
  const session = useSession();
  const href = useRouterState({ select: (state) => state.location.href });
  const [last, setLast] = useState<Session | null>(null);
  const isOther = Boolean(session.data) && isOtherOperator(last, session.data);
  if (session.data && !isOther && session.data !== last) setLast(session.data);
  const current = isOther ? last : (session.data ?? last);
  if (current) {
    return (
      <>
        {children(current)}
        {isOther && session.data && <OtherAccount before={current} now={session.data} />}
      </>
    );
  }
  if (session.isPending) {
    return (
      <main className="p-8">
        <SkeletonRows />
      </main>
    );
  }
  if (session.error) {
    return (
      <main className="mx-auto max-w-lg p-8">
        <ErrorNote error={session.error} onRetry={() => void session.refetch()} />
      </main>
    );
  }
  return <Redirect to={paths.signIn()} returnTo={publicHref(href)} />;
}

/** `/`: the events of the unit that was open last. */
export function Home() {
  return (
    <WithSession>
      {(session) => {
        const unit = lastUnitOf(session);
        if (unit) return <Redirect to={paths.events(unit.id)} />;
        if (session.operator.platformAdmin) return <Redirect to={paths.platform()} />;
        return <Empty title={shellText.noUnits}>{shellText.noUnitsText}</Empty>;
      }}
    </WithSession>
  );
}

/** The pages of a business unit. */
export function UnitScope() {
  const { unitId, eventId } = useParams({ strict: false }) as { unitId: string; eventId?: string };
  return (
    <WithSession>
      {(session) => {
        const unit = session.units.find(({ id }) => id === unitId) ?? null;
        if (!unit) {
          return (
            <Shell session={session} unit={null} event={null}>
              <NotFound />
            </Shell>
          );
        }
        rememberUnit(unit);
        return (
          <UnitProvider value={unit}>
            {eventId && eventId !== 'new' ? (
              <EventScope key={eventId} session={session} unit={unit} eventId={eventId} />
            ) : (
              <UnitZone>
                <Shell session={session} unit={unit} event={null}>
                  <PermittedPage unit={unit} />
                </Shell>
              </UnitZone>
            )}
          </UnitProvider>
        );
      }}
    </WithSession>
  );
}

/** Gives the pages of the unit their zone. They do not wait for it. */
function UnitZone({ children }: { children: React.ReactNode }) {
  const events = useUnitEvents();
  return <UnitZoneProvider value={sharedZone(events.rows)}>{children}</UnitZoneProvider>;
}

/**
 * The page, or the refusal in its place. This is the only place where it is decided whether a role
 * may open a page.
 */
function PermittedPage({ unit, eventId }: { unit: SessionUnit; eventId?: string }) {
  // The address of the page that is shown. That of the location is the next one while its code is
  // loading.
  const path = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '' });
  const refused = refusedPage(unit, eventId, path);
  return refused ? <PageRefused title={refused.label} /> : <Outlet />;
}

/**
 * The pages of an event. They begin when the event is read, because its zone and currency are
 * everywhere.
 */
function EventScope({
  session,
  unit,
  eventId,
}: {
  session: Session;
  unit: SessionUnit;
  eventId: string;
}) {
  const event = useRead<Event>(`v1/events/${encodeURIComponent(eventId)}`);
  const isMissing = event.error instanceof ApiError && event.error.code === 404;
  return (
    <EventProvider value={event.data ?? null}>
      <Shell session={session} unit={unit} event={event.data ?? null}>
        {event.data ? (
          <>
            {event.data.cancelledAt !== null && <CancelledNotice />}
            <PermittedPage unit={unit} eventId={eventId} />
          </>
        ) : isMissing ? (
          <NotFound />
        ) : event.error ? (
          <ErrorNote error={event.error} onRetry={() => void event.refetch()} />
        ) : (
          <SkeletonRows />
        )}
      </Shell>
    </EventProvider>
  );
}

/**
 * The pages of a signed-in operator that belong to no unit. Those of the platform are for its
 * administrators only.
 */
export function OperatorScope() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isOfPlatform = path === paths.platform() || path.startsWith(`${paths.platform()}/`);
  return (
    <WithSession>
      {(session) => (
        <Shell session={session} unit={null} event={null}>
          {isOfPlatform && !session.operator.platformAdmin ? <NotPermitted /> : <Outlet />}
        </Shell>
      )}
    </WithSession>
  );
}
