import { randomUUID } from 'node:crypto';
import type { ContractInputs } from '@callout/contract/contract';
import type { Job } from '@callout/contract/jobs';
import { uniqueEmail } from '../accounts.ts';

export type NewCustomerInput = ContractInputs['customers']['create'];

/** A valid customer; pass only what the test is about. */
export function newCustomer(over: Partial<NewCustomerInput> = {}): NewCustomerInput {
  return {
    id: randomUUID(),
    type: 'individual',
    name: 'Ana Ruiz',
    email: 'ana@example.com',
    phone: '021 555 123',
    address: '1 Queen Street, Auckland',
    ...over,
  };
}

export type NewSupplierInput = ContractInputs['suppliers']['create'];

/** A valid supplier; say only what the test is about. */
export function newSupplier(over: Partial<NewSupplierInput> = {}): NewSupplierInput {
  return { id: randomUUID(), company_name: 'Reece Plumbing', ...over };
}

export type NewItemInput = ContractInputs['items']['create'];

/** A valid item of a supplier; say only what the test is about. */
export function newItem(over: Partial<NewItemInput> & Pick<NewItemInput, 'supplier_id'>): NewItemInput {
  return {
    id: randomUUID(),
    name: 'Kitchen mixer tap',
    sku: `TAP-${randomUUID().slice(0, 8)}`,
    cost_price: '70.00',
    pricing_method: 'margin',
    margin_percentage: '30',
    tax_inclusive: true,
    is_service: false,
    ...over,
  };
}

export type NewJobInput = ContractInputs['jobs']['create'];

/** A valid job; say only what the test is about. */
export function newJob(over: Partial<NewJobInput> & Pick<NewJobInput, 'customer_id' | 'staff_id'>): NewJobInput {
  return {
    id: randomUUID(),
    title: 'Fix the kitchen tap',
    description: 'It drips.',
    category_ids: [],
    booking_date: '2026-11-20T19:00:00.000Z',
    duration: '1',
    ...over,
  };
}

export type NewTaskInput = ContractInputs['tasks']['create'];

/** A valid task; say only what the test is about. */
export function newTask(over: Partial<NewTaskInput> = {}): NewTaskInput {
  return {
    id: randomUUID(),
    title: 'Order parts',
    color: 'blue',
    calendar_date: '2026-11-19T20:00:00.000Z',
    calendar_duration: '1',
    ...over,
  };
}
/** What the edit page sends for a job, with what the test changes. */
export const jobChange = (job: Job, over: object = {}) => ({
  ...job,
  category_ids: job.categories.map(({ id }) => id),
  staff_id: job.staff_id ?? '',
  booking_date: job.booking_date ?? '',
  duration: job.duration ?? '',
  use_alternate_address: false,
  ...over,
});

export type NewQuoteInput = ContractInputs['quotes']['create'];
export type QuoteLine = NewQuoteInput['sections'][number]['items'][number];

/** A valid line of a quote, from no price list unless it is said; say only what the test is about. */
export function newQuoteLine(over: Partial<QuoteLine> = {}): QuoteLine {
  return {
    id: randomUUID(),
    supplier_item_id: null,
    name: 'Kitchen mixer tap',
    tax_inclusive: true,
    is_service: false,
    quantity: '1',
    unit_price: '100.00',
    ...over,
  };
}

/** A valid section of a quote; say only what the test is about. */
export function newSection(over: Partial<NewQuoteInput['sections'][number]> = {}): NewQuoteInput['sections'][number] {
  return { id: randomUUID(), name: 'Items & Services', always_required: false, items: [newQuoteLine()], ...over };
}

/** A valid quote; say only what the test is about. */
export function newQuote(over: Partial<NewQuoteInput> & Pick<NewQuoteInput, 'customer_id'>): NewQuoteInput {
  return { id: randomUUID(), title: 'New bathroom', valid_until: null, sections: [newSection()], attachment_ids: [], ...over };
}

export type NewMemberInput = ContractInputs['staff']['invite'];

/** A valid invitation; pass only what the test is about. */
export function newMember(over: Partial<NewMemberInput> = {}): NewMemberInput {
  return {
    id: randomUUID(),
    name: 'Aroha Ngata',
    email: uniqueEmail(),
    phone: '021 555 987',
    hourly_rate: '45.00',
    role: 'staff',
    ...over,
  };
}

/** A valid company profile; pass only what the test is about. */
export function newProfile(over: Partial<ContractInputs['company']['completeOnboarding']> = {}) {
  return {
    company_name: 'Tane Plumbing',
    phone: '09 555 000',
    gst_number: '123-456-789',
    gst_percentage: '15',
    paypal_email: 'pay@example.com',
    currency: 'NZD' as const,
    timezone: 'Pacific/Auckland',
    ...over,
  };
}
