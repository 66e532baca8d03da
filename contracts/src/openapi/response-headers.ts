/**
 * The headers that only some operations send, as components of the document. Its description has
 * those of every response, which would be most of the code of a generated client.
 */
export const headerComponents = {
  IdempotentReplayed: text('The response is that of an earlier request with the same key.', 'true'),
  Location: text('The path of the created record.', '/v1/events/evt_01k8zq4m3ne7rbj5t2xw9vd6ah'),
  ETag: text('Names the content. Send it as `If-None-Match`.', '"nO7Xkyf0Q2mJb8vT1rLw3A"'),
  ContentDisposition: text('The name of the file.', 'inline; filename="badge.pdf"'),
  LocationOfOne: text(
    'The path of the created record. It is sent only if the request creates exactly one record.',
    '/v1/events/evt_01k8zq4m3ne7rbj5t2xw9vd6ah/redemption-codes/code_01k8zq4m3ne7rbj5t2xw9vd6ah',
  ),
};

function text(description: string, example: string) {
  return { description, schema: { type: 'string' as const, example } };
}

const ref = (name: keyof typeof headerComponents) => ({ $ref: `#/components/headers/${name}` });

/** When a success has `Location`: never, always, or only if it created exactly one record. */
export type LocationPresence = 'never' | 'always' | 'of_one';

/** The headers of a success, besides those of every response. */
export const successHeaders = ({
  location = 'never',
  mayBeReplayed = false,
  hasEtag = false,
  isFile = false,
}: {
  location?: LocationPresence;
  mayBeReplayed?: boolean;
  hasEtag?: boolean;
  isFile?: boolean;
}) => ({
  ...(hasEtag && { ETag: ref('ETag') }),
  ...(isFile && { 'Content-Disposition': ref('ContentDisposition') }),
  ...(mayBeReplayed && { 'Idempotent-Replayed': ref('IdempotentReplayed') }),
  ...(location === 'always' && { Location: ref('Location') }),
  ...(location === 'of_one' && { Location: ref('LocationOfOne') }),
});
