import { provision } from '../local/provision.ts';

// Makes the roles and schemas, again and again with the same result.
await provision(process.env.PROVISION_DATABASE_URL ?? '');
