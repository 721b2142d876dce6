import { expect, it } from 'vitest';
import { CustomerFormSchema } from './customer-form-schema.ts';
import { type CustomerValues, EMPTY_CUSTOMER } from './customer-values.ts';

const filled: CustomerValues = { ...EMPTY_CUSTOMER, name: 'Ana', email: 'ana@example.com', phone: '021 555 123', address: '1 High Street' };

function problems(values: CustomerValues): Record<string, string> {
  const { error } = CustomerFormSchema.safeParse(values);
  return Object.fromEntries((error?.issues ?? []).map((issue) => [issue.path.join('.'), issue.message]));
}

it('requires name, email, phone and street address, and lets notes be empty', () => {
  expect(problems(filled)).toEqual({});
  expect(problems(EMPTY_CUSTOMER)).toEqual({
    name: 'Name is required',
    email: 'Email is required',
    phone: 'Phone is required',
    address: 'Street address is required',
  });
});

it('requires the company name of a company only', () => {
  expect(problems({ ...filled, type: 'company' })).toEqual({ company_name: 'Company name is required' });
});

it('does not complain about a company field that an individual cannot see, and saves it empty', () => {
  const hidden = CustomerFormSchema.parse({ ...filled, company_name: 'Rossi Ltd', contact_email: 'not an address' });
  expect(hidden).toMatchObject({ company_name: null, contact_email: null });
});
