import { openObject } from './open-object.ts';

/** The limits of the responses to a form. */
export const responseLimits = { bytes: 32 * 1024, depth: 8 } as const;

/** The responses to the form of an event in a request. */
export const formResponses = () =>
  openObject({ maxBytes: responseLimits.bytes, maxDepth: responseLimits.depth }).meta({
    description: "Answers to the event's registration form, by question id.",
    example: {},
  });

/** The responses to the form of an event, by question id. */
export type FormResponses = Readonly<Record<string, unknown>>;
