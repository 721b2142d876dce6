import { expect, it } from 'vitest';
import { mergeValues } from '../../lib/merge-values.ts';
import { customerForm } from './customer-form.ts';

const { initial: empty } = customerForm;
type Values = typeof empty;

const filled: Values = { ...empty, name: 'Ana', email: 'ana@example.com', phone: '021 555 123', address: '1 High Street' };

function problems(values: Values): Record<string, string> {
  const { error } = customerForm.schema.safeParse(values);
  return Object.fromEntries((error?.issues ?? []).map((issue) => [issue.path.join('.'), issue.message]));
}

it('requires name, email, phone and street address, and lets notes be empty', () => {
  expect(problems(filled)).toEqual({});
  expect(problems(empty)).toEqual({
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
  const hidden = customerForm.schema.parse({ ...filled, company_name: 'Rossi Ltd', contact_email: 'not an address' });
  expect(hidden).toMatchObject({ company_name: null, contact_email: null });
});

it('does not bring back company fields that are hidden for an individual', () => {
  const company: Values = { ...empty, type: 'company', company_name: 'Rossi Ltd', contact_email: 'not an address' };
  const individual: Values = { ...company, type: 'individual' };
  expect(customerForm.shown(company)).toEqual(company);
  expect(customerForm.shown(individual)).toMatchObject({ company_name: '', contact_email: '' });
  const theirs = { ...company, phone: '021 555 999' };
  expect(mergeValues(company, customerForm.shown(individual), theirs, customerForm.fields)).toMatchObject({
    type: 'individual',
    company_name: '',
    phone: '021 555 999',
  });
});
