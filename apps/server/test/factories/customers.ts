import { randomUUID } from 'node:crypto';
import type { ContractInputs } from '@callout/contract/contract';

export type NewCustomerInput = ContractInputs['customers']['create'];

/** A valid customer; say only what the test is about. */
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
