import { NewItem } from '@callout/contract/items';
import { NewSupplier } from '@callout/contract/suppliers';
import { generateUuidV7 } from './customers.ts';
import { createRandomGenerator } from './random.ts';
import { JOB_LOCATIONS, JOB_OBJECTS, LAST_NAMES } from './sample-words.ts';

export interface GeneratedPriceList {
  readonly suppliers: readonly NewSupplier[];
  readonly items: readonly NewItem[];
}

const FIRST_CREATED_AT = Date.UTC(2023, 0, 2);
const ITEMS_PER_SUPPLIER = 300;

/** Generates suppliers with price lists of 300 items each. The same seed always gives the same items. */
export function generatePriceList(seed: number, itemCount: number): GeneratedPriceList {
  const random = createRandomGenerator(seed);
  const suppliers = Array.from({ length: Math.ceil(itemCount / ITEMS_PER_SUPPLIER) }, (_, index) =>
    NewSupplier.parse({ id: generateUuidV7(FIRST_CREATED_AT, random), company_name: `${random.pick(LAST_NAMES)} Supplies ${index + 1}` }),
  );
  const items = Array.from({ length: itemCount }, (_, index) =>
    NewItem.parse({
      id: generateUuidV7(FIRST_CREATED_AT, random),
      supplier_id: suppliers[Math.floor(index / ITEMS_PER_SUPPLIER)]?.id,
      name: `${random.pickSkewed(JOB_OBJECTS)} ${random.pick(JOB_LOCATIONS)} ${random.integerBelow(1000)} mm`,
      sku: `SKU-${index}`,
      cost_price: `${5 + random.integerBelow(400)}.00`,
      pricing_method: 'margin',
      margin_percentage: '30',
      tax_inclusive: random.next() < 0.5,
      is_service: false,
    }),
  );
  return { suppliers, items };
}
