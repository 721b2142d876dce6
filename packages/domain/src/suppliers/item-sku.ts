const MAX_SKU_LENGTH = 40;

/** Turns an item's name into a SKU: 'Hot water cylinder, 180 l' becomes 'HOT-WATER-CYLINDER-180-L'. */
export function buildSku(name: string): string {
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase();
  const sku = letters.replaceAll(/[^A-Z0-9]+/g, '-').slice(0, MAX_SKU_LENGTH);
  return sku.replaceAll(/^-+|-+$/g, '') || 'ITEM';
}

/** Appends the first free number if the SKU is taken: 'LABOUR', 'LABOUR-2', 'LABOUR-3'. `taken` holds SKUs in capital letters. */
export function getFreeSku(sku: string, taken: readonly string[]): string {
  const used = new Set(taken);
  let [free, count] = [sku, 1];
  while (used.has(free)) {
    count += 1;
    free = `${sku}-${count}`;
  }
  return free;
}
