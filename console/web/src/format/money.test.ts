import { describe, expect, test } from 'vitest';
import { formatMoney, moneyInput, parseMoney } from './money.ts';

describe('formatMoney', () => {
  test.each([
    [2500, 'EUR', '€25.00'],
    [129_900, 'USD', '$1,299.00'],
    [1500, 'JPY', '¥1,500'],
    [-300, 'EUR', '-€3.00'],
  ])('formats %i %s as %s', (amount, currency, text) => {
    expect(formatMoney(amount, currency)).toBe(text);
  });
});

describe('parseMoney', () => {
  test.each([
    ['25', 'EUR', 2500],
    ['25.5', 'EUR', 2550],
    ['25,50', 'EUR', 2550],
    ['1 200', 'JPY', 1200],
    ['0', 'EUR', 0],
  ])('parses %s %s as %i', (text, currency, amount) => {
    expect(parseMoney(text, currency)).toBe(amount);
  });

  test.each([
    ['25.555', 'EUR'],
    ['1.5', 'JPY'],
    ['-1', 'EUR'],
    ['abc', 'EUR'],
    ['', 'EUR'],
  ])('rejects %s %s', (text, currency) => {
    expect(parseMoney(text, currency)).toBeNull();
  });

  test('parses what moneyInput writes', () => {
    expect(parseMoney(moneyInput(2550, 'EUR'), 'EUR')).toBe(2550);
    expect(parseMoney(moneyInput(1500, 'JPY'), 'JPY')).toBe(1500);
  });
});
