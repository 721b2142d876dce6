import type { Customer } from '@callout/contract/customers';
import { type CustomerStatus, type CustomerType, customerType } from '@callout/domain/customers/customer';

/** What the fields of the form hold while somebody types: text throughout, empty for what is absent. */
export interface CustomerValues {
  type: CustomerType;
  status: CustomerStatus;
  name: string;
  company_name: string;
  contact_name: string;
  contact_email: string;
  contact_phone: string;
  email: string;
  phone: string;
  address: string;
  notes: string;
}

export type CustomerField = keyof CustomerValues;

/** In the order the form shows them. */
export const CUSTOMER_FIELD_LABELS: Record<CustomerField, string> = {
  type: 'Type',
  status: 'Status',
  company_name: 'Company name',
  name: 'Name',
  phone: 'Phone',
  email: 'Email',
  address: 'Street address',
  contact_name: 'Contact name',
  contact_email: 'Contact email',
  contact_phone: 'Contact phone',
  notes: 'Notes',
};

export const CUSTOMER_TYPE_LABELS: Record<CustomerType, string> = { individual: 'Individual', company: 'Company' };

export const CUSTOMER_FIELDS = Object.keys(CUSTOMER_FIELD_LABELS) as CustomerField[];

export const EMPTY_CUSTOMER: CustomerValues = {
  type: 'individual',
  status: 'active',
  name: '',
  company_name: '',
  contact_name: '',
  contact_email: '',
  contact_phone: '',
  email: '',
  phone: '',
  address: '',
  notes: '',
};

export function customerValues(customer: Customer): CustomerValues {
  return {
    type: customerType(customer),
    status: customer.status,
    name: customer.name,
    company_name: customer.company_name ?? '',
    contact_name: customer.contact_name ?? '',
    contact_email: customer.contact_email ?? '',
    contact_phone: customer.contact_phone ?? '',
    email: customer.email,
    phone: customer.phone,
    address: customer.address,
    notes: customer.notes ?? '',
  };
}

/** The company fields stay typed while somebody toggles the type, but an individual is checked and saved without them. */
export function withoutHiddenFields(values: CustomerValues): CustomerValues {
  return values.type === 'company' ? values : { ...values, company_name: '', contact_name: '', contact_email: '', contact_phone: '' };
}
