import { randomUUID } from 'node:crypto';
import { png } from '../sample-files.ts';
import type { TestApp } from '../test-app.ts';
import { uploadTo } from '../upload.ts';
import { newCustomer, newItem, newQuote, newQuoteLine, newSupplier } from './inputs.ts';
import { createFirm } from './people.ts';

type QuoteFields = Partial<Parameters<typeof newQuote>[0]>;

export type QuotingFirm = Awaited<ReturnType<typeof createQuotingFirm>>;

/** A firm with a customer and an item of a price list at 100.00, and what its administrator does with quotes. */
export async function createQuotingFirm(test: TestApp) {
  const firm = await createFirm(test);
  const { client: admin, cookie } = firm.people.admin;
  const { id: customerId } = await admin.customers.create(newCustomer());
  const { id: supplier_id } = await admin.suppliers.create(newSupplier());
  const { id: itemId } = await admin.items.create(newItem({ supplier_id, sku: 'TAP-1', fixed_price: '100.00', pricing_method: 'fixed' }));
  const quoteOf = (over: QuoteFields = {}) => newQuote({ customer_id: customerId, ...over });
  return {
    firm,
    customerId,
    itemId,
    quoteOf,
    create: (over: QuoteFields = {}) => admin.quotes.create(quoteOf(over)),
    picked: (over: object = {}) => newQuoteLine({ supplier_item_id: itemId, ...over }),
    upload: async (): Promise<string> => {
      const id = randomUUID();
      await uploadTo(test, `/api/files/${id}`, cookie, 'plan.png', png());
      return id;
    },
  };
}
