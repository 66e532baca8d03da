import { expect, test } from 'vitest';
import { readSearch } from './search.ts';

const inOrder = (query: string) => readSearch(query).map(({ by, text }) => `${by} ${text}`);

test.each([
  // A prefix leaves no doubt.
  ['chk-7d2m9qk4x1t8vbna', ['checkinCode CHK-7D2M9QK4X1T8VBNA']],
  ['ord-7k3m9qxa', ['orderNumber ORD-7K3M9QXA']],
  [' ord-7k', ['orderNumber ORD-7K']],
  ['reg_01k8zq4m3ne7rbj5t2xw9vd6ah', ['id reg_01k8zq4m3ne7rbj5t2xw9vd6ah']],
  ['Ada@Example.com', ['email ada@example.com', 'emailPart ada@example.com']],
  ['@example.com', ['email @example.com', 'emailPart @example.com']],
  // Without one, names are first.
  ['Ada Lov', ['name Ada Lov', 'emailPart ada lov']],
  ['ad', ['name ad']],
  ['gmial', ['name gmial', 'emailPart gmial', 'similarName gmial']],
  ['example.com', ['name example.com', 'emailPart example.com', 'similarName example.com']],
  ['Lovalace', ['name Lovalace', 'emailPart lovalace', 'similarName Lovalace']],
  [
    'b0a2',
    [
      'name b0a2',
      'orderNumber ORD-B0A2',
      'checkinCode CHK-B0A2',
      'emailPart b0a2',
      'similarName b0a2',
    ],
  ],
  ['7K3M9QXA', expect.arrayContaining(['orderNumber ORD-7K3M9QXA'])],
  ['ord7k3m9qxa', expect.arrayContaining(['orderNumber ORD-7K3M9QXA'])],
  ['ORD 7K3M9QXA', expect.arrayContaining(['orderNumber ORD-7K3M9QXA'])],
  ['#7K3M9QXA', expect.arrayContaining(['orderNumber ORD-7K3M9QXA'])],
  ['chk 7d2m', expect.arrayContaining(['checkinCode CHK-7D2M'])],
  ['reg_1', ['name reg_1', 'emailPart reg_1']],
  ['—', []],
  ['---', ['emailPart ---']],
])('%s is searched as %j', (query, expected) => {
  expect(inOrder(query)).toEqual(expected);
});
