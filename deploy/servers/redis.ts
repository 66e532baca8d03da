import { createHash } from 'node:crypto';

/** A user of Redis with its valid passwords: two while a password is replaced. */
export interface RedisLogin {
  user: string;
  passwords: readonly string[];
}

/**
 * The access control list of Redis. It contains hashes of the passwords. Users run the commands of
 * the platform and none that administer the server. `ACL LOAD` applies a changed file and keeps
 * open connections.
 */
export const redisUsers = (logins: readonly RedisLogin[]): string =>
  [
    'user default off',
    ...logins.map(({ user, passwords }) => {
      const hashes = passwords.map((password) => `#${sha256(password)}`);
      return `user ${user} on ${hashes.join(' ')} ~* &* +@all -@admin -@dangerous`;
    }),
    '',
  ].join('\n');

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * The configuration of a Redis that stores nothing: it contains only rate limits and short-lived
 * tokens.
 */
export const redisConfig = (usersFile: string): string =>
  [`aclfile ${usersFile}`, 'save ""', 'appendonly no', ''].join('\n');
