import { randomUUID } from 'node:crypto';
import { buildPng } from '../sample-files.ts';
import type { TestApp } from '../test-app.ts';
import { uploadFile } from '../upload.ts';
import { buildCustomer, buildItem, buildQuote, buildQuoteLine, buildSupplier } from './inputs.ts';
import { createFirm } from './people.ts';

type QuoteOverrides = Partial<Parameters<typeof buildQuote>[0]>;

export type QuotingFirm = Awaited<ReturnType<typeof createQuotingFirm>>;

/** Creates a firm with a customer and a price list item of 100.00, and returns helpers that create quotes. */
export async function createQuotingFirm(test: TestApp) {
  const firm = await createFirm(test);
  const { client: admin, cookie } = firm.people.admin;
  const { id: customerId } = await admin.customers.create(buildCustomer());
  const { id: supplier_id } = await admin.suppliers.create(buildSupplier());
  const { id: itemId } = await admin.items.create(buildItem({ supplier_id, sku: 'TAP-1', fixed_price: '100.00', pricing_method: 'fixed' }));
  const buildFirmQuote = (overrides: QuoteOverrides = {}) => buildQuote({ customer_id: customerId, ...overrides });
  return {
    firm,
    customerId,
    itemId,
    buildQuote: buildFirmQuote,
    createQuote: (overrides: QuoteOverrides = {}) => admin.quotes.create(buildFirmQuote(overrides)),
    buildPickedLine: (overrides: object = {}) => buildQuoteLine({ supplier_item_id: itemId, ...overrides }),
    uploadPlan: async (): Promise<string> => {
      const id = randomUUID();
      await uploadFile(test, `/api/files/${id}`, cookie, 'plan.png', buildPng());
      return id;
    },
  };
}
