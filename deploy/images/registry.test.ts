import { expect, test } from 'vitest';
import { parseChallenge, repositoryOf } from './registry.ts';

test.each([
  ['postgres', 'docker.io', 'library/postgres'],
  ['grafana/k6', 'docker.io', 'grafana/k6'],
  ['docker.io/postgres', 'docker.io', 'library/postgres'],
  ['docker.io/grafana/k6', 'docker.io', 'grafana/k6'],
  ['ghcr.io/grafana/k6-operator', 'ghcr.io', 'grafana/k6-operator'],
  ['localhost/postgres', 'localhost', 'postgres'],
  ['localhost:5000/a/b', 'localhost:5000', 'a/b'],
])('%s is at %s as %s', (name, host, path) => {
  expect(repositoryOf(name)).toEqual({ host, path });
});

test.each([
  [
    'Bearer realm="https://auth.example.com/token",service="registry.example.com",scope="repository:a/b:pull"',
    {
      scheme: 'bearer',
      realm: 'https://auth.example.com/token',
      service: 'registry.example.com',
      scope: 'repository:a/b:pull',
    },
  ],
  [
    'bearer Realm="https://auth.example.com/token", service=plain',
    {
      scheme: 'bearer',
      realm: 'https://auth.example.com/token',
      service: 'plain',
      scope: undefined,
    },
  ],
  ['Basic realm="Registry"', { scheme: 'basic' }],
  ['Bearer service="no realm"', { scheme: 'unsupported' }],
  ['Negotiate', { scheme: 'unsupported' }],
  ['', { scheme: 'unsupported' }],
])('the challenge %j is read', (header, challenge) => {
  expect(parseChallenge(header)).toEqual(challenge);
});
