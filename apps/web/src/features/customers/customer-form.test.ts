import { expect, it } from 'vitest';
import { mergeValues } from '../../lib/merge-values.ts';
import { customerForm } from './customer-form.ts';

const { initial: empty } = customerForm;
type Values = typeof empty;

const filled: Values = { ...empty, name: 'Ana', email: 'ana@example.com', phone: '021 555 123', address: '1 High Street' };

function listErrors(values: Values): Record<string, string> {
  const { error } = customerForm.schema.safeParse(values);
  return Object.fromEntries((error?.issues ?? []).map((issue) => [issue.path.join('.'), issue.message]));
}

it('requires name, email, phone and street address, but not notes', () => {
  expect(listErrors(filled)).toEqual({});
  expect(listErrors(empty)).toEqual({
    name: 'Name is required',
    email: 'Email is required',
    phone: 'Phone is required',
    address: 'Street address is required',
  });
});

it('requires a company name only for companies', () => {
  expect(listErrors({ ...filled, type: 'company' })).toEqual({ company_name: 'Company name is required' });
});

it("ignores an individual's invalid company fields and saves them as empty", () => {
  const saved = customerForm.schema.parse({ ...filled, company_name: 'Rossi Ltd', contact_email: 'not an address' });
  expect(saved).toMatchObject({ company_name: null, contact_email: null });
});

it('does not restore company fields when merging a customer who was changed to an individual', () => {
  const company: Values = { ...empty, type: 'company', company_name: 'Rossi Ltd', contact_email: 'not an address' };
  const individual: Values = { ...company, type: 'individual' };
  expect(customerForm.withoutHidden(company)).toEqual(company);
  expect(customerForm.withoutHidden(individual)).toMatchObject({ company_name: '', contact_email: '' });
  const theirs = { ...company, phone: '021 555 999' };
  expect(mergeValues(company, customerForm.withoutHidden(individual), theirs, customerForm.fields)).toMatchObject({
    type: 'individual',
    company_name: '',
    phone: '021 555 999',
  });
});
