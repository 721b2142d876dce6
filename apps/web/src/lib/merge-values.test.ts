import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areValuesEqual, type FormRow, type FormValues, getDifferences, type MergeFields, mergeValues } from './merge-values.ts';

const PERSON_FIELDS: MergeFields = { name: {}, phone: {}, notes: {}, fees: {}, rate: { input: 'decimal' } };
const PERSON = { name: 'Ana Rossi', phone: '021 555 123', notes: '', fees: false, rate: '45.00' };

describe('merging the fields of a record', () => {
  it("lists the other person's changes and marks fields that both people changed", () => {
    const yours = { ...PERSON, name: 'Ana Bianchi', notes: 'Key under the mat' };
    const theirs = { ...PERSON, name: 'Ana Verdi', phone: '021 555 999', fees: true };
    expect(getDifferences(PERSON, yours, theirs, PERSON_FIELDS)).toEqual([
      { path: ['name'], yours: 'Ana Bianchi', theirs: 'Ana Verdi', contested: true },
      { path: ['phone'], yours: '021 555 123', theirs: '021 555 999', contested: false },
      { path: ['fees'], yours: false, theirs: true, contested: false },
    ]);
  });

  it('finds no difference if both people typed the same value', () => {
    const both = { ...PERSON, phone: '021 555 999' };
    expect(getDifferences(PERSON, { ...both, phone: ' 021 555 999 ' }, both, PERSON_FIELDS)).toEqual([]);
  });

  it("keeps the other person's change in a field you did not edit", () => {
    const yours = { ...PERSON, name: 'Ana Bianchi' };
    const theirs = { ...PERSON, name: 'Ana Verdi', phone: '021 555 999', fees: true };
    expect(mergeValues(PERSON, yours, theirs, PERSON_FIELDS)).toEqual({ ...PERSON, name: 'Ana Bianchi', phone: '021 555 999', fees: true });
  });

  it('ignores a trailing space', () => {
    const typed = { ...PERSON, name: 'Ana Rossi ' };
    expect(mergeValues(typed, typed, PERSON, PERSON_FIELDS)).toEqual(PERSON);
  });

  it("ignores a number's trailing zeros", () => {
    const typed = { ...PERSON, notes: ' Key under the mat ', rate: '45' };
    expect(areValuesEqual(typed, { ...PERSON, notes: 'Key under the mat' }, PERSON_FIELDS)).toBe(true);
    expect(areValuesEqual(typed, { ...PERSON, notes: 'Key under the pot' }, PERSON_FIELDS)).toBe(false);
    expect(areValuesEqual({ ...PERSON, rate: '100' }, { ...PERSON, rate: '1' }, PERSON_FIELDS)).toBe(false);
  });
});

const QUOTE_FIELDS: MergeFields = {
  title: {},
  sections: { rows: { name: {}, items: { rows: { name: {}, price: { input: 'decimal' } } } } },
};
const item = (id: string, name: string, price = '10') => ({ id, name, price });
const quote = (...items: FormRow[]): FormValues => ({ title: 'Bathroom', sections: [{ id: 's1', name: 'Fittings', items }] });

describe('merging the rows of a record', () => {
  const base = quote(item('a', 'Tap'), item('b', 'Sink'), item('c', 'Trap'));

  it('combines the rows of both people', () => {
    const yours = quote(item('a', 'Tap'), item('mine', 'Towel rail'), item('b', 'Sink', '12'), item('c', 'Trap'));
    const theirs = quote(item('theirs', 'Mirror'), item('a', 'Mixer tap'), item('b', 'Sink'));
    expect(mergeValues(base, yours, theirs, QUOTE_FIELDS)).toEqual(
      quote(item('theirs', 'Mirror'), item('a', 'Mixer tap'), item('mine', 'Towel rail'), item('b', 'Sink', '12')),
    );
    expect(getDifferences(base, yours, theirs, QUOTE_FIELDS)).toEqual([
      { path: ['sections', 's1', 'items', 'a', 'name'], yours: 'Tap', theirs: 'Mixer tap', contested: false },
      { path: ['sections', 's1', 'items', 'c'], yours: item('c', 'Trap'), theirs: undefined, contested: false },
      { path: ['sections', 's1', 'items', 'theirs'], yours: undefined, theirs: item('theirs', 'Mirror'), contested: false },
    ]);
  });

  it('marks a conflict if both people changed the same cell, or one deleted a row that the other changed', () => {
    const yours = quote(item('a', 'Basin tap'), item('b', 'Double sink'));
    const theirs = quote(item('a', 'Mixer tap'), item('c', 'Bottle trap'));
    expect(getDifferences(base, yours, theirs, QUOTE_FIELDS)).toEqual([
      { path: ['sections', 's1', 'items', 'a', 'name'], yours: 'Basin tap', theirs: 'Mixer tap', contested: true },
      { path: ['sections', 's1', 'items', 'b'], yours: item('b', 'Double sink'), theirs: undefined, contested: true },
      { path: ['sections', 's1', 'items', 'c'], yours: undefined, theirs: item('c', 'Bottle trap'), contested: true },
    ]);
    expect(mergeValues(base, yours, theirs, QUOTE_FIELDS)).toEqual(quote(item('a', 'Basin tap'), item('b', 'Double sink')));
  });

  it("keeps your row order if you changed it, and the other person's otherwise", () => {
    const moved = quote(item('c', 'Trap'), item('a', 'Tap'), item('b', 'Sink'));
    expect(mergeValues(base, moved, base, QUOTE_FIELDS)).toEqual(moved);
    expect(mergeValues(base, base, moved, QUOTE_FIELDS)).toEqual(moved);
  });
});

/** Field definitions for random edits that two people make to the same list. */
const LIST_FIELDS: MergeFields = { items: { rows: { name: {}, price: {} } } };
const cell = fc.constantFrom('', 'Tap', 'Sink', 'Trap', '10', '12.50');
const buildRows = (ids: readonly string[]) => fc.tuple(...ids.map((id) => fc.record({ id: fc.constant(id), name: cell, price: cell })));
const buildEdits = (rows: readonly FormRow[], idPrefix: string) =>
  fc
    .record({
      keep: fc.array(fc.boolean(), { minLength: rows.length, maxLength: rows.length }),
      cells: fc.array(fc.option(cell), { minLength: rows.length, maxLength: rows.length }),
      added: fc.subarray([`${idPrefix}1`, `${idPrefix}2`]).chain(buildRows),
      shuffled: fc.boolean(),
      positions: fc.array(fc.nat(), { minLength: rows.length + 2, maxLength: rows.length + 2 }),
    })
    .map(({ keep, cells, added, shuffled, positions }): FormRow[] => {
      const kept = rows.map((row, index) => ({ ...row, name: cells[index] ?? row['name'] ?? '' })).filter((_, index) => keep[index]);
      const all = [...kept, ...added];
      return shuffled ? all.toSorted((one, other) => (positions[all.indexOf(one)] ?? 0) - (positions[all.indexOf(other)] ?? 0)) : all;
    });
const versions = buildRows(['a', 'b', 'c', 'd']).chain((rows) =>
  fc.record({ base: fc.constant(rows), yours: buildEdits(rows, 'mine'), theirs: buildEdits(rows, 'theirs') }),
);

describe('merging random edits of a list', () => {
  const merge = (base: readonly FormRow[], yours: readonly FormRow[], theirs: readonly FormRow[]) =>
    mergeValues({ items: base }, { items: yours }, { items: theirs }, LIST_FIELDS).items;
  const find = (rows: readonly FormRow[], id: string) => rows.find((row) => row.id === id);

  it('keeps everything you typed, added or removed', () => {
    fc.assert(
      fc.property(versions, ({ base, yours, theirs }) => {
        const merged = merge(base, yours, theirs);
        const cells = (rows: readonly FormRow[]) =>
          yours.flatMap(({ id, ...mine }) =>
            Object.keys(mine)
              .filter((name) => mine[name] !== find(base, id)?.[name])
              .map((name) => [id, name, find(rows, id)?.[name]]),
          );
        expect(cells(merged)).toEqual(cells(yours));
        expect(base.filter(({ id }) => !find(yours, id) && find(merged, id))).toEqual([]);
        expect(new Set(merged.map(({ id }) => id)).size).toBe(merged.length);
      }),
    );
  });

  it("takes the other person's version of rows you did not edit", () => {
    fc.assert(
      fc.property(versions, ({ base, yours, theirs }) => {
        const merged = merge(base, yours, theirs);
        const added = theirs.filter(({ id }) => !find(base, id));
        expect(added.map(({ id }) => find(merged, id))).toEqual(added);
        const untouched = base.filter((row) => areValuesEqual(find(yours, row.id), row, { name: {}, price: {} }));
        expect(untouched.map(({ id }) => find(merged, id))).toEqual(untouched.map(({ id }) => find(theirs, id)));
      }),
    );
  });

  it('returns the other version if one person changed nothing, and reports each difference once', () => {
    fc.assert(
      fc.property(versions, ({ base, yours, theirs }) => {
        expect(merge(base, base, theirs)).toEqual(theirs);
        expect(merge(base, yours, base)).toEqual(yours);
        expect(getDifferences({ items: base }, { items: yours }, { items: base }, LIST_FIELDS)).toEqual([]);
        const found = getDifferences({ items: base }, { items: yours }, { items: theirs }, LIST_FIELDS).map(({ path }) => path.join('/'));
        expect(new Set(found).size).toBe(found.length);
        expect(
          getDifferences({ items: base }, { items: base }, { items: theirs }, LIST_FIELDS).filter(({ contested }) => contested),
        ).toEqual([]);
      }),
    );
  });
});
