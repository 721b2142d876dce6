import { randomUUID } from 'node:crypto';
import type { ContractInputs } from '@callout/contract/contract';
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
