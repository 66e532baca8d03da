import { z } from 'zod';
import { id, timestampOut } from '../http/fields.ts';
import { roles } from '../permissions.ts';

/** The signed-in operator and the business units of which it is a member. */
export const ConsoleSession = z.object({
  operator: z.object({
    id: id('opr'),
    name: z.string(),
    email: z.string().nullable(),
    platformAdmin: z.boolean(),
  }),
  units: z.array(
    z.object({
      id: id('unit'),
      name: z.string(),
      defaultCurrency: z.string(),
      role: z.enum(roles),
      permissions: z.array(z.string()),
    }),
  ),
  expiresAt: timestampOut(),
  /** Where integrators reach the API and its guides; null if the console does not know it. */
  gatewayUrl: z.string().nullable(),
  /** The cell of the console and of its units; null for the default cell. */
  cell: z.string().nullable(),
});
export type ConsoleSession = z.infer<typeof ConsoleSession>;

/** The browsers in which the operator is signed in, the latest request first. */
export const Sessions = z.object({
  sessions: z.array(
    z.object({
      isCurrent: z.boolean(),
      createdAt: timestampOut(),
      /** About the time of its last request. */
      seenAt: timestampOut(),
      /** When it ends without another request. */
      expiresAt: timestampOut(),
    }),
  ),
});
export type Sessions = z.infer<typeof Sessions>;

/** How an operator can sign in. */
export const SignInMethods = z.object({
  /** The button of the identity provider; null without one. */
  oidc: z.object({ label: z.string() }).nullable(),
  passkeys: z.boolean(),
  /** Operators of the identity sandbox, each with the address that signs it in. */
  demo: z.array(z.object({ label: z.string(), hint: z.string(), href: z.string() })),
});
export type SignInMethods = z.infer<typeof SignInMethods>;

/** The query of `GET /api/sign-in`. */
export const SignInQuery = z.object({
  /** A path of the console to which the browser returns. */
  returnTo: z.string().max(2000).optional(),
  /** The account that the identity provider should sign in. */
  hint: z.string().max(200).optional(),
});

export const SignOut = z.object({
  /** Ends all sessions of the operator, not only this one. */
  everywhere: z.boolean().optional(),
});

/** The secret of an invitation, from the fragment of its link. */
export const AcceptInvitation = z.object({ token: z.string().max(200) });

/** What the acceptance of an invitation has added. */
export const AcceptedInvitation = z.object({
  businessUnitId: z.string().nullable(),
  role: z.enum(roles).nullable(),
  platformAdmin: z.boolean(),
});
