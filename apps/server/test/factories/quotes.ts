import { randomUUID } from 'node:crypto';
import type { ContractInputs } from '@callout/contract/contract';

export type NewQuoteInput = ContractInputs['quotes']['create'];
type NewSectionInput = NewQuoteInput['sections'][number];
type NewLineInput = NewSectionInput['items'][number];

/** A line from no price list; say only what the test is about. */
export function newQuoteLine(over: Partial<NewLineInput> = {}): NewLineInput {
  return {
    id: randomUUID(),
    supplier_item_id: null,
    name: 'Installation',
    description: null,
    tax_inclusive: true,
    is_service: true,
    quantity: '1',
    unit_price: '230.00',
    ...over,
  };
}

export function newSection(over: Partial<NewSectionInput> = {}): NewSectionInput {
  return { id: randomUUID(), name: 'Items & Services', description: null, always_required: false, items: [newQuoteLine()], ...over };
}

/** A valid quote of one optional section; say only what the test is about. */
export function newQuote(over: Partial<NewQuoteInput> & Pick<NewQuoteInput, 'customer_id'>): NewQuoteInput {
  return {
    id: randomUUID(),
    title: 'Gas hot water',
    description: 'A new water heater.',
    valid_until: null,
    sections: [newSection()],
    attachment_ids: [],
    ...over,
  };
}
