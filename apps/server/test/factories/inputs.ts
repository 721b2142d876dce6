import { randomUUID } from 'node:crypto';
import type { ContractInputs } from '@callout/contract/contract';
import type { Job } from '@callout/contract/jobs';
import { buildTestEmail } from '../accounts.ts';

export type NewCustomerInput = ContractInputs['customers']['create'];

/** Builds a valid customer. Override only the fields that the test is about. */
export function buildCustomer(overrides: Partial<NewCustomerInput> = {}): NewCustomerInput {
  return {
    id: randomUUID(),
    type: 'individual',
    name: 'Ana Ruiz',
    email: 'ana@example.com',
    phone: '021 555 123',
    address: '1 Queen Street, Auckland',
    ...overrides,
  };
}

export type NewSupplierInput = ContractInputs['suppliers']['create'];

/** Builds a valid supplier. Override only the fields that the test is about. */
export function buildSupplier(overrides: Partial<NewSupplierInput> = {}): NewSupplierInput {
  return { id: randomUUID(), company_name: 'Reece Plumbing', ...overrides };
}

export type NewItemInput = ContractInputs['items']['create'];

/** Builds a valid supplier item. Override only the fields that the test is about. */
export function buildItem(overrides: Partial<NewItemInput> & Pick<NewItemInput, 'supplier_id'>): NewItemInput {
  return {
    id: randomUUID(),
    name: 'Kitchen mixer tap',
    sku: `TAP-${randomUUID().slice(0, 8)}`,
    cost_price: '70.00',
    pricing_method: 'margin',
    margin_percentage: '30',
    tax_inclusive: true,
    is_service: false,
    ...overrides,
  };
}

export type NewJobInput = ContractInputs['jobs']['create'];

/** Builds a valid job. Override only the fields that the test is about. */
export function buildJob(overrides: Partial<NewJobInput> & Pick<NewJobInput, 'customer_id' | 'staff_id'>): NewJobInput {
  return {
    id: randomUUID(),
    title: 'Fix the kitchen tap',
    description: 'It drips.',
    category_ids: [],
    booking_date: '2026-11-20T19:00:00.000Z',
    duration: '1',
    ...overrides,
  };
}

export type NewTaskInput = ContractInputs['tasks']['create'];

/** Builds a valid task. Override only the fields that the test is about. */
export function buildTask(overrides: Partial<NewTaskInput> = {}): NewTaskInput {
  return {
    id: randomUUID(),
    title: 'Order parts',
    color: 'blue',
    calendar_date: '2026-11-19T20:00:00.000Z',
    calendar_duration: '1',
    ...overrides,
  };
}

/** Builds the update that a job's edit page sends, with every field of the job. */
export const buildJobUpdate = (job: Job, overrides: object = {}) => ({
  ...job,
  category_ids: job.categories.map(({ id }) => id),
  staff_id: job.staff_id ?? '',
  booking_date: job.booking_date ?? '',
  duration: job.duration ?? '',
  use_alternate_address: false,
  ...overrides,
});

export type NewQuoteInput = ContractInputs['quotes']['create'];
export type QuoteLineInput = NewQuoteInput['sections'][number]['items'][number];

/** Builds a valid quote line without a price list item. Override only the fields that the test is about. */
export function buildQuoteLine(overrides: Partial<QuoteLineInput> = {}): QuoteLineInput {
  return {
    id: randomUUID(),
    supplier_item_id: null,
    name: 'Kitchen mixer tap',
    tax_inclusive: true,
    is_service: false,
    quantity: '1',
    unit_price: '100.00',
    ...overrides,
  };
}

/** Builds a valid quote section. Override only the fields that the test is about. */
export function buildQuoteSection(overrides: Partial<NewQuoteInput['sections'][number]> = {}): NewQuoteInput['sections'][number] {
  return { id: randomUUID(), name: 'Items & Services', always_required: false, items: [buildQuoteLine()], ...overrides };
}

/** Builds a valid quote. Override only the fields that the test is about. */
export function buildQuote(overrides: Partial<NewQuoteInput> & Pick<NewQuoteInput, 'customer_id'>): NewQuoteInput {
  return { id: randomUUID(), title: 'New bathroom', valid_until: null, sections: [buildQuoteSection()], attachment_ids: [], ...overrides };
}

export type NewMemberInput = ContractInputs['staff']['invite'];

/** Builds a valid invitation. Override only the fields that the test is about. */
export function buildMember(overrides: Partial<NewMemberInput> = {}): NewMemberInput {
  return {
    id: randomUUID(),
    name: 'Aroha Ngata',
    email: buildTestEmail(),
    phone: '021 555 987',
    hourly_rate: '45.00',
    role: 'staff',
    ...overrides,
  };
}

/** Builds a valid company profile. Override only the fields that the test is about. */
export function buildProfile(overrides: Partial<ContractInputs['company']['completeOnboarding']> = {}) {
  return {
    company_name: 'Tane Plumbing',
    phone: '09 555 000',
    gst_number: '123-456-789',
    gst_percentage: '15',
    paypal_email: 'pay@example.com',
    currency: 'NZD' as const,
    timezone: 'Pacific/Auckland',
    ...overrides,
  };
}
