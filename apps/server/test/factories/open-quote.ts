import type { ContractClient } from '@callout/contract/contract';
import { expect } from 'vitest';
import { buildQuote, buildQuoteLine, buildQuoteSection, type NewQuoteInput } from './inputs.ts';

export const buildServiceLine = (overrides: Parameters<typeof buildQuoteLine>[0] = {}) =>
  buildQuoteLine({ name: 'Installation', is_service: true, unit_price: '230.00', ...overrides });

export const buildServiceSection = (overrides: Parameters<typeof buildQuoteSection>[0] = {}) =>
  buildQuoteSection({ items: [buildServiceLine()], ...overrides });

/** Builds the sections of the specification's example: a required one of 230.00 and two options of 230.00 and 92.00. */
export function buildExampleSections() {
  return {
    required: buildServiceSection({ name: 'Water heater', always_required: true, items: [buildServiceLine({ name: 'Heater' })] }),
    first: buildServiceSection({ name: 'Towel rails', items: [buildServiceLine({ name: 'Rail', unit_price: '115.00', quantity: '2' })] }),
    second: buildServiceSection({
      name: 'Outdoor tap',
      items: [buildServiceLine({ name: 'Tap', unit_price: '40.00', quantity: '2', tax_inclusive: false })],
    }),
  };
}

/** Creates a quote that the customer can answer, and returns it with the token of its public link. */
export async function createOpenQuote(client: ContractClient, overrides: Partial<NewQuoteInput> & Pick<NewQuoteInput, 'customer_id'>) {
  const quote = await client.quotes.create(buildQuote({ title: 'Gas hot water', description: 'A new water heater.', ...overrides }));
  return { ...quote, token: quote.public_path.replace('/quote/', '') };
}

/** Builds the error to expect when someone answers a quote that was already answered or has expired. */
export const buildQuoteClosedFailure = (status: string, message: RegExp) => ({
  code: 'QUOTE_CLOSED',
  status: 409,
  message: expect.stringMatching(message) as string,
  data: expect.objectContaining({ status }) as object,
});
