import { CUSTOMER_STATUSES, CUSTOMER_TYPES } from '@callout/domain/customers/customer';
import { z } from 'zod';
import { call } from './call.ts';
import { idTaken, notFound, staleVersion } from './errors.ts';
import {
  Id,
  Instant,
  OutputId,
  optionalEmail,
  optionalLines,
  optionalText,
  requiredEmail,
  requiredLines,
  requiredText,
  Version,
} from './fields.ts';
import { byId, Count, countInput, listInput, pageOf, searchMatch } from './lists.ts';

export const CustomerStatus = z.enum(CUSTOMER_STATUSES, 'Please choose a status');

export const Customer = z.object({
  id: OutputId,
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  address: z.string(),
  notes: z.string().nullable(),
  company_name: z.string().nullable(),
  contact_name: z.string().nullable(),
  contact_email: z.string().nullable(),
  contact_phone: z.string().nullable(),
  status: CustomerStatus,
  created_at: Instant,
  last_interaction: Instant.nullable(),
  updated_at: Instant,
  version: Version,
});
export type Customer = z.infer<typeof Customer>;

/** The columns of a list row; everything else is read when the customer is opened. */
export const CustomerSummary = Customer.pick({
  id: true,
  name: true,
  email: true,
  phone: true,
  address: true,
  company_name: true,
  contact_name: true,
  status: true,
  created_at: true,
  last_interaction: true,
});

export const CustomerRow = CustomerSummary.extend({ matched: searchMatch('name', 'company', 'contact') });
export type CustomerRow = z.infer<typeof CustomerRow>;

const CustomerContact = z.object({ phone: optionalText('Phone', 50), email: optionalText('Email', 254) });
export type CustomerContact = z.infer<typeof CustomerContact>;

export const CustomerDuplicate = Customer.pick({ id: true, name: true, company_name: true }).extend({ same: z.enum(['phone', 'email']) });
export type CustomerDuplicate = z.infer<typeof CustomerDuplicate>;

/** The form fields, the same for add and edit. */
const customerFields = {
  type: z.enum(CUSTOMER_TYPES, 'Please choose a type'),
  name: requiredText('Name', 200),
  email: requiredEmail('Email'),
  phone: requiredText('Phone', 50),
  address: requiredLines('Street address', 500),
  notes: optionalLines('Notes', 10_000),
  company_name: optionalText('Company name', 200),
  contact_name: optionalText('Contact name', 200),
  contact_email: optionalEmail('Contact email'),
  contact_phone: optionalText('Contact phone', 50),
};

const withCompanyName = <Schema extends z.ZodType<{ type: string; company_name: string | null }>>(schema: Schema) =>
  schema.refine(({ type, company_name }) => type !== 'company' || company_name !== null, {
    error: 'Company name is required',
    path: ['company_name'],
  });

export const NewCustomer = withCompanyName(z.object({ id: Id, ...customerFields, status: CustomerStatus.default('active') }));
export type NewCustomer = z.infer<typeof NewCustomer>;

export const CustomerChange = withCompanyName(z.object({ id: Id, version: Version, status: CustomerStatus, ...customerFields }));
export type CustomerChange = z.infer<typeof CustomerChange>;

/** The form of add and edit, before id and version are added. */
export const CustomerForm = withCompanyName(z.object({ ...customerFields, status: CustomerStatus }));
export type CustomerForm = z.infer<typeof CustomerForm>;

export const CUSTOMER_SORTS = ['name', 'company_name', 'created_at', 'last_interaction'] as const;
export const CustomerSort = z.enum(CUSTOMER_SORTS);
export type CustomerSort = z.infer<typeof CustomerSort>;

const customerFilters = { status: CustomerStatus.optional() };

export const CustomerListInput = listInput(customerFilters, CustomerSort.default('name'));

export const CustomerPage = pageOf(CustomerRow);
export type CustomerPage = z.infer<typeof CustomerPage>;

export const customerNotFound = notFound('Customer not found');

export const customers = {
  list: call('customers.view')
    .route({ method: 'GET', path: '/customers', summary: 'A page of customers', tags: ['customers'] })
    .input(CustomerListInput)
    .output(CustomerPage),

  count: call('customers.view')
    .route({ method: 'GET', path: '/customers/count', summary: 'How many customers match the filter', tags: ['customers'] })
    .input(countInput(customerFilters))
    .output(Count),

  get: call('customers.view')
    .route({ method: 'GET', path: '/customers/{id}', summary: 'One customer', tags: ['customers'] })
    .input(byId)
    .output(Customer)
    .errors(customerNotFound),

  duplicates: call('customers.view')
    .route({
      method: 'GET',
      path: '/customers/duplicates',
      summary: 'Customers with the same phone number, compared by its digits, or the same email',
      tags: ['customers'],
    })
    .input(CustomerContact)
    .output(z.object({ rows: z.array(CustomerDuplicate) })),

  create: call('customers.edit')
    .route({
      method: 'POST',
      path: '/customers',
      summary: 'Add a customer under a client-made id',
      tags: ['customers'],
      successStatus: 201,
    })
    .input(NewCustomer)
    .output(Customer)
    .errors(idTaken),

  update: call('customers.edit')
    .route({ method: 'PUT', path: '/customers/{id}', summary: 'Change a customer from a version', tags: ['customers'] })
    .input(CustomerChange)
    .output(Customer)
    .errors({ ...customerNotFound, ...staleVersion(Customer) }),

  remove: call('customers.delete')
    .route({ method: 'DELETE', path: '/customers/{id}', summary: 'Delete a customer; their jobs and quotes stay', tags: ['customers'] })
    .input(byId)
    .output(z.object({}))
    .errors(customerNotFound),
};
