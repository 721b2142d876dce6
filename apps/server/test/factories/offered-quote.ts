import type { ContractClient } from '@callout/contract/contract';
import { expect } from 'vitest';
import { type NewQuoteInput, newQuote, newQuoteLine, newSection } from './inputs.ts';

export const serviceLine = (over: Parameters<typeof newQuoteLine>[0] = {}) =>
  newQuoteLine({ name: 'Installation', is_service: true, unit_price: '230.00', ...over });

export const serviceSection = (over: Parameters<typeof newSection>[0] = {}) => newSection({ items: [serviceLine()], ...over });

/** The spec's example: 230.00 required, 230.00 and 92.00 as options. */
export function offeredSections() {
  return {
    required: serviceSection({ name: 'Water heater', always_required: true, items: [serviceLine({ name: 'Heater' })] }),
    first: serviceSection({ name: 'Towel rails', items: [serviceLine({ name: 'Rail', unit_price: '115.00', quantity: '2' })] }),
    second: serviceSection({
      name: 'Outdoor tap',
      items: [serviceLine({ name: 'Tap', unit_price: '40.00', quantity: '2', tax_inclusive: false })],
    }),
  };
}

/** A quote that can be answered, with the token of its public page. */
export async function addOfferedQuote(client: ContractClient, over: Partial<NewQuoteInput> & Pick<NewQuoteInput, 'customer_id'>) {
  const quote = await client.quotes.create(newQuote({ title: 'Gas hot water', description: 'A new water heater.', ...over }));
  return { ...quote, token: quote.public_path.replace('/quote/', '') };
}

/** How a quote that was answered or has expired refuses an answer. */
export const closedFailure = (status: string, message: RegExp) => ({
  code: 'QUOTE_CLOSED',
  status: 409,
  message: expect.stringMatching(message) as string,
  data: expect.objectContaining({ status }) as object,
});
