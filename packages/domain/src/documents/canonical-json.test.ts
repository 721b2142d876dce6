import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCanonicalJson } from './canonical-json.ts';

describe('canonical JSON', () => {
  it('does not depend on key order', () => {
    expect(toCanonicalJson({ b: [1, 'x'], a: { d: null, c: true } })).toBe('{"a":{"c":true,"d":null},"b":[1,"x"]}');
    expect(toCanonicalJson({ a: { c: true, d: null }, b: [1, 'x'] })).toBe(toCanonicalJson({ b: [1, 'x'], a: { d: null, c: true } }));
  });

  it('omits undefined values and rejects fractions', () => {
    expect(toCanonicalJson({ a: undefined, b: 'ā' })).toBe('{"b":"ā"}');
    expect(() => toCanonicalJson({ total: 0.1 })).toThrow(RangeError);
    expect(() => toCanonicalJson([Number.NaN])).toThrow(RangeError);
  });

  it('parses back to the same value', () => {
    const anyValue = fc.letrec((tie) => ({
      value: fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      object: fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
    })).value as fc.Arbitrary<string>;
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(JSON.parse(toCanonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
