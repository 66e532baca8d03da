import { describe, expect, test } from 'vitest';
import type { Schema } from '../../api/api.commands.ts';
import {
  decideKind,
  initialValue,
  literalOf,
  requiredFirst,
  resolve,
  toInput,
} from './schema-rules.ts';

describe('decideKind', () => {
  test.each<[Schema, string]>([
    [{ type: 'string' }, 'text'],
    [{ type: 'string', format: 'date-time' }, 'instant'],
    [{ type: 'string', format: 'date' }, 'date'],
    [{ type: 'string', 'x-references': ['perk'] }, 'reference'],
    [{ type: 'string', enum: ['a', 'b'] }, 'choice'],
    [{ type: 'string', const: 'catalog' }, 'constant'],
    [{ type: 'integer' }, 'number'],
    [{ type: 'boolean' }, 'boolean'],
    [{ type: 'array', items: { type: 'string' } }, 'list'],
    [{ type: 'object', properties: { a: { type: 'string' } } }, 'object'],
    [{ type: 'object', additionalProperties: true }, 'json'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'text'],
    [{ anyOf: [{ type: 'string', 'x-references': ['venue'] }, { type: 'null' }] }, 'reference'],
    [{ type: ['string', 'null'] }, 'text'],
    [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }, 'union'],
    [{}, 'json'],
  ])('shows %j as %s', (schema, kind) => {
    expect(decideKind(schema, schema).kind).toBe(kind);
  });

  test('follows references', () => {
    const root: Schema = { $defs: { Id: { type: 'string', 'x-references': ['event'] } } };
    expect(decideKind({ $ref: '#/$defs/Id' }, root)).toEqual({ kind: 'reference', to: ['event'] });
    expect(resolve({ $ref: '#/$defs/Id', description: 'The event' }, root).description).toBe(
      'The event',
    );
  });
});

test('literalOf finds the property with another constant in each option', () => {
  const option = (type: string): Schema => ({
    type: 'object',
    properties: { type: { const: type }, value: { type: 'integer' } },
  });
  expect(literalOf([option('percent'), option('amount')])).toBe('type');
  expect(literalOf([{ type: 'string' }, { type: 'integer' }])).toBeNull();
});

test('initialValue takes defaults and constants, and leaves optional fields empty', () => {
  const schema: Schema = {
    type: 'object',
    required: ['service', 'perkIds'],
    properties: {
      service: { const: 'onsite' },
      perkIds: { type: 'array', items: { type: 'string' } },
      limit: { type: 'integer', default: 100 },
      note: { type: 'string' },
    },
  };
  expect(initialValue(schema, schema, true)).toEqual({
    service: 'onsite',
    perkIds: [],
    limit: 100,
  });
});

test('requiredFirst keeps the order among the fields that are needed', () => {
  const text: Schema = { type: 'string' };
  const properties = { note: text, eventId: text, limit: text, perkId: text };
  const fields = requiredFirst({ properties, required: ['perkId', 'eventId'] });
  expect(fields.map(([name]) => name)).toEqual(['eventId', 'perkId', 'note', 'limit']);
});

test('toInput drops empty fields at every depth', () => {
  expect(toInput({ a: '', b: null, c: { d: undefined, e: 1 }, f: [{ g: '' }] })).toEqual({
    b: null,
    c: { e: 1 },
    f: [{}],
  });
});
