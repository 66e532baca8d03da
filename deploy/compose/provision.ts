import { schemas } from '@event-api/contracts/topology';
import { provision } from '@event-api/provisioning/provision';

// Creates the roles and schemas. Idempotent.
const { PROVISION_DATABASE_URL: url } = process.env;
if (url) await provision(url, schemas);
else {
  console.error('Wrong settings:\n  PROVISION_DATABASE_URL is missing');
  process.exitCode = 1;
}
