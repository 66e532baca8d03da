import type { EventScope } from '@event-api/contracts/internal/scope';
import type { ObjectChange } from '@event-api/platform/messaging/changes/write';

interface VersionedCode extends EventScope {
  id: string;
  version: number;
}

const of = ({ businessUnitId, eventId, id, version }: VersionedCode) => ({
  businessUnitId,
  eventId,
  objectId: id,
  version,
});

const active = { status: 'active' };

export const codeCreated = (code: VersionedCode): ObjectChange => ({
  ...of(code),
  type: 'redemption_code.created',
  previous: null,
  current: active,
});

export const codeUpdated = (code: VersionedCode & { status: string }): ObjectChange => ({
  ...of(code),
  type: 'redemption_code.updated',
  previous: { status: code.status },
  current: { status: code.status },
});

export const codeDisabled = (code: VersionedCode): ObjectChange => ({
  ...of(code),
  type: 'redemption_code.disabled',
  previous: active,
  current: { status: 'disabled' },
});
