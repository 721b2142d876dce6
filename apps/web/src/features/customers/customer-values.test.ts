import { expect, it } from 'vitest';
import {
  type CustomerValues,
  customerDifferences,
  EMPTY_CUSTOMER,
  isSavedAs,
  mergeCustomer,
  withoutHiddenFields,
} from './customer-values.ts';

const base: CustomerValues = {
  ...EMPTY_CUSTOMER,
  name: 'Ana Rossi',
  email: 'ana@example.com',
  phone: '021 555 123',
  address: '1 High Street',
};

it('lists what somebody else changed, and says where both did', () => {
  const yours = { ...base, name: 'Ana Bianchi', notes: 'Key under the mat' };
  const theirs = { ...base, name: 'Ana Verdi', phone: '021 555 999' };

  expect(customerDifferences(base, yours, theirs)).toEqual([
    { field: 'name', yours: 'Ana Bianchi', theirs: 'Ana Verdi', contested: true },
    { field: 'phone', yours: '021 555 123', theirs: '021 555 999', contested: false },
  ]);
});

it('finds no difference where both typed the same', () => {
  const both = { ...base, phone: '021 555 999' };
  expect(customerDifferences(base, { ...both, phone: ' 021 555 999 ' }, both)).toEqual([]);
});

it('keeps their change in a field that was not touched here', () => {
  const yours = { ...base, name: 'Ana Bianchi' };
  const theirs = { ...base, name: 'Ana Verdi', phone: '021 555 999' };

  expect(mergeCustomer(base, yours, theirs)).toEqual({ ...base, name: 'Ana Bianchi', phone: '021 555 999' });
});

it('does not bring back company fields that are hidden for an individual', () => {
  const company: CustomerValues = { ...base, type: 'company', company_name: 'Rossi Ltd', contact_email: 'not an address' };
  const individual: CustomerValues = { ...company, type: 'individual' };

  expect(withoutHiddenFields(company)).toEqual(company);
  expect(withoutHiddenFields(individual)).toMatchObject({ company_name: '', contact_email: '' });
  expect(mergeCustomer(company, individual, { ...company, phone: '021 555 999' })).toMatchObject({
    type: 'individual',
    company_name: '',
    phone: '021 555 999',
  });
});

it('does not take a space at the end for a change', () => {
  expect(mergeCustomer({ ...base, name: 'Ana Rossi ' }, { ...base, name: 'Ana Rossi ' }, base)).toEqual(base);
});

it('recognises a save whose answer was lost', () => {
  const typed: CustomerValues = { ...base, notes: ' Key under the mat ', contact_name: 'left from a company' };
  expect(isSavedAs(typed, { ...base, notes: 'Key under the mat' })).toBe(true);
  expect(isSavedAs(typed, { ...base, notes: 'Key under the pot' })).toBe(false);
});
