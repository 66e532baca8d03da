import { expect, test } from 'vitest';
import { readSearch } from './search.ts';

test.each([
  ['chk-7d2m9qk4x1t8vbna', { by: 'checkinCode', prefix: 'CHK-7D2M9QK4X1T8VBNA' }],
  ['ord-7k3m9qxa', { by: 'orderNumber', prefix: 'ORD-7K3M9QXA' }],
  ['chk-7d2', { by: 'checkinCode', prefix: 'CHK-7D2' }],
  ['ord-7k', { by: 'orderNumber', prefix: 'ORD-7K' }],
  ['reg_01k8zq4m3ne7rbj5t2xw9vd6ah', { by: 'id', id: 'reg_01k8zq4m3ne7rbj5t2xw9vd6ah' }],
  ['Ada@Example.com', { by: 'email', prefix: 'ada@example.com' }],
  ['ada@', { by: 'email', prefix: 'ada@' }],
  ['Ada Lov', { by: 'name', text: 'Ada Lov' }],
  ['ordal', { by: 'name', text: 'ordal' }],
  ['reg_1', { by: 'name', text: 'reg_1' }],
])('%s is searched as %j', (query, search) => {
  expect(readSearch(query)).toEqual(search);
});
