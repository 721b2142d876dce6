import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

describe('canonical JSON', () => {
  it('does not depend on the order in which an object was made', () => {
    expect(canonicalJson({ b: [1, 'x'], a: { d: null, c: true } })).toBe('{"a":{"c":true,"d":null},"b":[1,"x"]}');
    expect(canonicalJson({ a: { c: true, d: null }, b: [1, 'x'] })).toBe(canonicalJson({ b: [1, 'x'], a: { d: null, c: true } }));
  });

  it('leaves out what is undefined, and refuses fractions', () => {
    expect(canonicalJson({ a: undefined, b: 'ā' })).toBe('{"b":"ā"}');
    expect(() => canonicalJson({ total: 0.1 })).toThrow(RangeError);
    expect(() => canonicalJson([Number.NaN])).toThrow(RangeError);
  });

  it('is JSON that reads back as the same value', () => {
    const anyValue = fc.letrec((tie) => ({
      value: fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      object: fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
    })).value as fc.Arbitrary<string>;
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
