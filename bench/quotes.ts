import { calculateLineTotal } from '@callout/domain/money/money';
import { formatQuoteNumber, QUOTE_STATUSES, type QuoteStatus } from '@callout/domain/quotes/quote';
import { calculateQuoteTotals, calculateSectionTotals } from '@callout/domain/quotes/quote-price';
import { HOUR_MS } from '@callout/domain/time/time-units';
import { type GeneratedCustomer, generateUuidV7 } from './customers.ts';
import { createRandomGenerator, type RandomGenerator } from './random.ts';
import { CUSTOMER_NOTES, JOB_LOCATIONS, JOB_OBJECTS, JOB_VERBS } from './sample-words.ts';

interface GeneratedQuoteLine {
  readonly id: string;
  readonly name: string;
  readonly sku: string;
  readonly supplier_name: string;
  readonly tax_inclusive: boolean;
  readonly is_service: boolean;
  readonly quantity: string;
  readonly unit_price: string;
  readonly cost_price: string;
  readonly total_price: string;
}

interface GeneratedSection {
  readonly id: string;
  readonly name: string;
  readonly always_required: boolean;
  readonly subtotal: string;
  readonly tax_amount: string;
  readonly total_amount: string;
  readonly items: readonly GeneratedQuoteLine[];
}

export interface GeneratedQuote {
  readonly id: string;
  readonly token: string;
  readonly quote_number: string;
  readonly title: string;
  readonly description: string;
  readonly status: QuoteStatus;
  readonly valid_until: string | null;
  readonly customer_id: string;
  readonly created_at: string;
  readonly subtotal: string;
  readonly tax_amount: string;
  readonly total_amount: string;
  readonly sections: readonly GeneratedSection[];
}

export const GST_RATE = '15';
const FIRST_CREATED_AT = Date.UTC(2023, 0, 2);
const TOKEN_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
const TOKEN_LENGTH = 22;

/** Generates realistic quotes for `customers`, oldest first. The same seed always gives the same quotes. */
export function generateQuotes(seed: number, count: number, customers: readonly GeneratedCustomer[]): GeneratedQuote[] {
  const random = createRandomGenerator(seed);
  return Array.from({ length: count }, (_, index) => generateQuote(random, index, random.pick(customers)));
}

function generateQuote(random: RandomGenerator, index: number, { id: customer_id }: GeneratedCustomer): GeneratedQuote {
  const created = FIRST_CREATED_AT + index * HOUR_MS;
  const sections = [generateSection(random, 0), generateSection(random, 1)];
  const { rounding: _, ...totals } = calculateQuoteTotals(sections, GST_RATE);
  return {
    id: generateUuidV7(created, random),
    token: Array.from({ length: TOKEN_LENGTH }, () => TOKEN_ALPHABET[random.integerBelow(TOKEN_ALPHABET.length)]).join(''),
    quote_number: formatQuoteNumber(index),
    title: `${random.pickSkewed(JOB_VERBS)} ${random.pickSkewed(JOB_OBJECTS)} ${random.pick(JOB_LOCATIONS)}`,
    description: random.pick(CUSTOMER_NOTES),
    // Every second quote is sent, so that the benchmark can accept it.
    status: index % 2 === 0 ? 'sent' : random.pick(QUOTE_STATUSES),
    valid_until: index % 2 === 0 ? null : new Date(created + 30 * 24 * HOUR_MS).toISOString().slice(0, 10),
    customer_id,
    created_at: new Date(created).toISOString(),
    ...totals,
    sections,
  };
}

function generateSection(random: RandomGenerator, position: number): GeneratedSection {
  const items = Array.from({ length: 1 + random.integerBelow(4) }, () => generateLine(random));
  return {
    id: generateUuidV7(FIRST_CREATED_AT + position, random),
    name: position === 0 ? 'Items & Services' : random.pick(JOB_OBJECTS),
    always_required: position === 0,
    ...calculateSectionTotals({ items }, GST_RATE),
    items,
  };
}

function generateLine(random: RandomGenerator): GeneratedQuoteLine {
  const quantity = String(1 + random.integerBelow(5));
  const unit_price = `${5 + random.integerBelow(400)}.${String(random.integerBelow(100)).padStart(2, '0')}`;
  return {
    id: generateUuidV7(FIRST_CREATED_AT, random),
    name: random.pickSkewed(JOB_OBJECTS),
    sku: `SKU-${random.integerBelow(1000)}`,
    supplier_name: 'Harbour Supplies',
    tax_inclusive: random.next() < 0.5,
    is_service: random.next() < 0.3,
    quantity,
    unit_price,
    cost_price: '3.00',
    total_price: calculateLineTotal(unit_price, quantity),
  };
}
