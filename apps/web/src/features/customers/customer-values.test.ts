import { expect, it } from 'vitest';
import { merged } from '../../lib/edited-values.ts';
import { type CustomerValues, EMPTY_CUSTOMER, withoutHiddenFields } from './customer-values.ts';

it('does not bring back company fields that are hidden for an individual', () => {
  const company: CustomerValues = { ...EMPTY_CUSTOMER, type: 'company', company_name: 'Rossi Ltd', contact_email: 'not an address' };
  const individual: CustomerValues = { ...company, type: 'individual' };

  expect(withoutHiddenFields(company)).toEqual(company);
  expect(withoutHiddenFields(individual)).toMatchObject({ company_name: '', contact_email: '' });
  expect(merged(company, withoutHiddenFields(individual), { ...company, phone: '021 555 999' })).toMatchObject({
    type: 'individual',
    company_name: '',
    phone: '021 555 999',
  });
});
