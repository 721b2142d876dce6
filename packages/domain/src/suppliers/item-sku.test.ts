import { expect, it } from 'vitest';
import { buildSku, getFreeSku } from './item-sku.ts';

it.each([
  ['Labour', 'LABOUR'],
  ['Hot water cylinder, 180 l', 'HOT-WATER-CYLINDER-180-L'],
  ['Café-Maschine', 'CAFE-MASCHINE'],
  ['工事', 'ITEM'],
  [`${'a'.repeat(39)} bc`, 'A'.repeat(39)],
])('turns the name %s into the SKU %s', (name, sku) => {
  expect(buildSku(name)).toBe(sku);
});

it('numbers a SKU that is taken', () => {
  expect(getFreeSku('LABOUR', ['PIPE'])).toBe('LABOUR');
  expect(getFreeSku('LABOUR', ['LABOUR', 'LABOUR-2', 'LABOUR-OLD'])).toBe('LABOUR-3');
});
