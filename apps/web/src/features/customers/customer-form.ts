import { type Customer, CustomerInput } from '@callout/contract/customers';
import { getCustomerType } from '@callout/domain/customers/customer';
import { defineForm } from '../../lib/form-definition.ts';
import { customerListFilter } from './customer-list-filter.ts';

const isIndividual = ({ type }: { type: string }) => type === 'individual';

export const customerForm = defineForm({
  schema: CustomerInput,
  fromRecord: (customer: Customer) => ({ ...customer, type: getCustomerType(customer) }),
  fields: {
    type: {
      label: 'Type',
      input: 'radio',
      choices: [
        { value: 'individual', label: 'Individual' },
        { value: 'company', label: 'Company' },
      ],
      initial: 'individual',
    },
    status: { label: 'Status', input: 'select', choices: customerListFilter.statuses, initial: 'active', editOnly: true },
    company_name: { label: 'Company name', optional: false, width: 'full', hiddenWhen: isIndividual },
    name: {
      label: 'Name',
      readOnlyLabel: (values) => (isIndividual(values) ? 'Name' : 'Name (main contact)'),
      width: 'full',
      hint: (values) => (isIndividual(values) ? undefined : 'Main contact'),
    },
    phone: { label: 'Phone', input: 'phone' },
    email: { label: 'Email', input: 'email' },
    address: { label: 'Street address', input: 'address', width: 'full' },
    contact_name: { label: 'Contact name', width: 'third', hiddenWhen: isIndividual },
    contact_email: { label: 'Contact email', input: 'email', width: 'third', hiddenWhen: isIndividual },
    contact_phone: { label: 'Contact phone', input: 'phone', width: 'third', hiddenWhen: isIndividual },
    notes: { label: 'Notes', input: 'lines', width: 'full' },
  },
});
