import { join } from 'node:path';
import { demoOperators } from '@event-api/contracts/identity-sandbox';
import { inviteMember, inviteOperator } from '@event-api/contracts/operator/members';
import { listUnits } from '@event-api/contracts/operator/units';
import { readTextFile, writePrivateFile } from '@event-api/provisioning/secret-files';
import type { OperatorClient } from '../admin/operator-client.ts';
import type { Progress } from '../terminal/progress.ts';
import { signIn } from './console-client.ts';
import { demoUnitName } from './seed-demo.ts';

/**
 * Makes the demo operators members of the demo unit, and one an administrator of the platform: each
 * signs in at the identity sandbox and accepts an invitation, as people do. A later call completes
 * an interrupted one and otherwise changes nothing.
 */
export async function seedOperators(options: {
  dataDir: string;
  operator: OperatorClient;
  consoleUrl: string;
  progress: Progress;
}): Promise<void> {
  const { dataDir, operator, consoleUrl, progress } = options;
  const { units } = await operator.call(listUnits, {});
  const unit = units.find(({ name }) => name === demoUnitName);
  if (!unit) throw new Error('the demo unit does not exist');
  // The file contains the unit's id: with another database the operators are invited again.
  const doneFile = join(dataDir, 'operators-seeded');
  if (readTextFile(doneFile) === unit.id) return;
  await progress.during('inviting the demo operators', async () => {
    for (const { subject, role, email } of demoOperators) {
      const { link } = await (role === null
        ? operator.call(inviteOperator, { platformAdmin: true, email })
        : operator.call(inviteMember, { businessUnitId: unit.id, role, email }));
      const session = await signIn(consoleUrl, subject);
      await session.post('/api/invitations/accept', { token: new URL(link).hash.slice(1) });
    }
  });
  writePrivateFile(doneFile, unit.id);
}
