import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differences, type FormRow, type FormValues, isSameValues, type MergeFields, mergeValues } from './merge-values.ts';

const PERSON: MergeFields = { name: {}, phone: {}, notes: {}, fees: {}, rate: { input: 'decimal' } };
const base = { name: 'Ana Rossi', phone: '021 555 123', notes: '', fees: false, rate: '45.00' };

describe('the fields of a record', () => {
  it('lists what somebody else changed, and says where both did', () => {
    const yours = { ...base, name: 'Ana Bianchi', notes: 'Key under the mat' };
    const theirs = { ...base, name: 'Ana Verdi', phone: '021 555 999', fees: true };
    expect(differences(base, yours, theirs, PERSON)).toEqual([
      { path: ['name'], yours: 'Ana Bianchi', theirs: 'Ana Verdi', contested: true },
      { path: ['phone'], yours: '021 555 123', theirs: '021 555 999', contested: false },
      { path: ['fees'], yours: false, theirs: true, contested: false },
    ]);
  });

  it('finds no difference where both typed the same', () => {
    const both = { ...base, phone: '021 555 999' };
    expect(differences(base, { ...both, phone: ' 021 555 999 ' }, both, PERSON)).toEqual([]);
  });

  it('keeps their change in a field that was not touched here', () => {
    const yours = { ...base, name: 'Ana Bianchi' };
    const theirs = { ...base, name: 'Ana Verdi', phone: '021 555 999', fees: true };
    expect(mergeValues(base, yours, theirs, PERSON)).toEqual({ ...base, name: 'Ana Bianchi', phone: '021 555 999', fees: true });
  });

  it('does not take a space at the end for a change', () => {
    const typed = { ...base, name: 'Ana Rossi ' };
    expect(mergeValues(typed, typed, base, PERSON)).toEqual(base);
  });

  it('takes the same number for the same, however the server writes it', () => {
    const typed = { ...base, notes: ' Key under the mat ', rate: '45' };
    expect(isSameValues(typed, { ...base, notes: 'Key under the mat' }, PERSON)).toBe(true);
    expect(isSameValues(typed, { ...base, notes: 'Key under the pot' }, PERSON)).toBe(false);
    expect(isSameValues({ ...base, rate: '100' }, { ...base, rate: '1' }, PERSON)).toBe(false);
  });
});

const QUOTE: MergeFields = { title: {}, sections: { rows: { name: {}, items: { rows: { what: {}, price: { input: 'decimal' } } } } } };
const item = (id: string, what: string, price = '10') => ({ id, what, price });
const quote = (...items: FormRow[]): FormValues => ({ title: 'Bathroom', sections: [{ id: 's1', name: 'Fittings', items }] });

describe('the rows of a record', () => {
  const was = quote(item('a', 'Tap'), item('b', 'Sink'), item('c', 'Trap'));

  it('come from both people', () => {
    const yours = quote(item('a', 'Tap'), item('mine', 'Towel rail'), item('b', 'Sink', '12'), item('c', 'Trap'));
    const theirs = quote(item('theirs', 'Mirror'), item('a', 'Mixer tap'), item('b', 'Sink'));
    expect(mergeValues(was, yours, theirs, QUOTE)).toEqual(
      quote(item('theirs', 'Mirror'), item('a', 'Mixer tap'), item('mine', 'Towel rail'), item('b', 'Sink', '12')),
    );
    expect(differences(was, yours, theirs, QUOTE)).toEqual([
      { path: ['sections', 's1', 'items', 'a', 'what'], yours: 'Tap', theirs: 'Mixer tap', contested: false },
      { path: ['sections', 's1', 'items', 'c'], yours: item('c', 'Trap'), theirs: undefined, contested: false },
      { path: ['sections', 's1', 'items', 'theirs'], yours: undefined, theirs: item('theirs', 'Mirror'), contested: false },
    ]);
  });

  it('are contested where both changed one cell, or one removed what the other changed', () => {
    const yours = quote(item('a', 'Basin tap'), item('b', 'Double sink'));
    const theirs = quote(item('a', 'Mixer tap'), item('c', 'Bottle trap'));
    expect(differences(was, yours, theirs, QUOTE)).toEqual([
      { path: ['sections', 's1', 'items', 'a', 'what'], yours: 'Basin tap', theirs: 'Mixer tap', contested: true },
      { path: ['sections', 's1', 'items', 'b'], yours: item('b', 'Double sink'), theirs: undefined, contested: true },
      { path: ['sections', 's1', 'items', 'c'], yours: undefined, theirs: item('c', 'Bottle trap'), contested: true },
    ]);
    expect(mergeValues(was, yours, theirs, QUOTE)).toEqual(quote(item('a', 'Basin tap'), item('b', 'Double sink')));
  });

  it('keep the order you gave them, and theirs where you left it alone', () => {
    const moved = quote(item('c', 'Trap'), item('a', 'Tap'), item('b', 'Sink'));
    expect(mergeValues(was, moved, was, QUOTE)).toEqual(moved);
    expect(mergeValues(was, was, moved, QUOTE)).toEqual(moved);
  });
});

/** Random edits of one list by two people who started from the same rows. */
const LIST: MergeFields = { items: { rows: { what: {}, price: {} } } };
const cell = fc.constantFrom('', 'Tap', 'Sink', 'Trap', '10', '12.50');
const rowsWith = (ids: readonly string[]) => fc.tuple(...ids.map((id) => fc.record({ id: fc.constant(id), what: cell, price: cell })));
const edit = (rows: readonly FormRow[], added: string) =>
  fc
    .record({
      keep: fc.array(fc.boolean(), { minLength: rows.length, maxLength: rows.length }),
      cells: fc.array(fc.option(cell), { minLength: rows.length, maxLength: rows.length }),
      fresh: fc.subarray([`${added}1`, `${added}2`]).chain(rowsWith),
      shuffled: fc.boolean(),
      places: fc.array(fc.nat(), { minLength: rows.length + 2, maxLength: rows.length + 2 }),
    })
    .map(({ keep, cells, fresh, shuffled, places }): FormRow[] => {
      const kept = rows.map((row, index) => ({ ...row, what: cells[index] ?? row['what'] ?? '' })).filter((_, index) => keep[index]);
      const all = [...kept, ...fresh];
      return shuffled ? all.toSorted((one, other) => (places[all.indexOf(one)] ?? 0) - (places[all.indexOf(other)] ?? 0)) : all;
    });
const threeVersions = rowsWith(['a', 'b', 'c', 'd']).chain((rows) =>
  fc.record({ was: fc.constant(rows), yours: edit(rows, 'mine'), theirs: edit(rows, 'theirs') }),
);

describe('whatever two people do to a list', () => {
  const merge = (was: readonly FormRow[], yours: readonly FormRow[], theirs: readonly FormRow[]) =>
    mergeValues({ items: was }, { items: yours }, { items: theirs }, LIST).items;
  const find = (rows: readonly FormRow[], id: string) => rows.find((row) => row.id === id);

  it('nothing you typed, added or removed is lost', () => {
    fc.assert(
      fc.property(threeVersions, ({ was, yours, theirs }) => {
        const merged = merge(was, yours, theirs);
        const cells = (rows: readonly FormRow[]) =>
          yours.flatMap(({ id, ...mine }) =>
            Object.keys(mine)
              .filter((name) => mine[name] !== find(was, id)?.[name])
              .map((name) => [id, name, find(rows, id)?.[name]]),
          );
        expect(cells(merged)).toEqual(cells(yours));
        expect(was.filter(({ id }) => !find(yours, id) && find(merged, id))).toEqual([]);
        expect(new Set(merged.map(({ id }) => id)).size).toBe(merged.length);
      }),
    );
  });

  it('rows you did not touch follow theirs', () => {
    fc.assert(
      fc.property(threeVersions, ({ was, yours, theirs }) => {
        const merged = merge(was, yours, theirs);
        const added = theirs.filter(({ id }) => !find(was, id));
        expect(added.map(({ id }) => find(merged, id))).toEqual(added);
        const untouched = was.filter((row) => isSameValues(find(yours, row.id), row, { what: {}, price: {} }));
        expect(untouched.map(({ id }) => find(merged, id))).toEqual(untouched.map(({ id }) => find(theirs, id)));
      }),
    );
  });

  it('one who changed nothing gets exactly what the other has, and nothing is reported twice', () => {
    fc.assert(
      fc.property(threeVersions, ({ was, yours, theirs }) => {
        expect(merge(was, was, theirs)).toEqual(theirs);
        expect(merge(was, yours, was)).toEqual(yours);
        expect(differences({ items: was }, { items: yours }, { items: was }, LIST)).toEqual([]);
        const found = differences({ items: was }, { items: yours }, { items: theirs }, LIST).map(({ path }) => path.join('/'));
        expect(new Set(found).size).toBe(found.length);
        expect(differences({ items: was }, { items: was }, { items: theirs }, LIST).filter(({ contested }) => contested)).toEqual([]);
      }),
    );
  });
});
