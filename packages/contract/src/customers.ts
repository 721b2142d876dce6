import { CUSTOMER_STATUSES, CUSTOMER_TYPES } from '@callout/domain/customers/customer';
import { z } from 'zod';
import { call } from './call.ts';
import { idTaken, notFound, staleVersion } from './errors.ts';
import {
  Cursor,
  Id,
  Instant,
  KnownId,
  optionalEmail,
  optionalLines,
  optionalText,
  requiredEmail,
  requiredLines,
  requiredText,
  Search,
  SortOrder,
  Version,
} from './fields.ts';

export const CustomerStatus = z.enum(CUSTOMER_STATUSES, 'Please choose a status');

export const Customer = z.object({
  id: KnownId,
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

/** What a list row shows: the rest is read when the row is opened. */
export const CustomerRow = Customer.pick({
  id: true,
  name: true,
  email: true,
  phone: true,
  address: true,
  company_name: true,
  status: true,
  created_at: true,
  last_interaction: true,
});
export type CustomerRow = z.infer<typeof CustomerRow>;

/** What a person fills in, on add and on edit alike. */
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

const companyNameOfCompany = {
  check: (customer: { type: string; company_name: string | null }) => customer.type !== 'company' || customer.company_name !== null,
  says: { error: 'Company name is required', path: ['company_name'] },
};

export const NewCustomer = z
  .object({ id: Id, ...customerFields, status: CustomerStatus.default('active') })
  .refine(companyNameOfCompany.check, companyNameOfCompany.says);
export type NewCustomer = z.infer<typeof NewCustomer>;

export const CustomerChange = z
  .object({ id: Id, version: Version, status: CustomerStatus, ...customerFields })
  .refine(companyNameOfCompany.check, companyNameOfCompany.says);
export type CustomerChange = z.infer<typeof CustomerChange>;

/** The form of add and edit: what is typed, before id and version are put to it. */
export const CustomerForm = z
  .object({ ...customerFields, status: CustomerStatus })
  .refine(companyNameOfCompany.check, companyNameOfCompany.says);
export type CustomerForm = z.infer<typeof CustomerForm>;

export const CUSTOMER_SORTS = ['name', 'company_name', 'created_at', 'last_interaction'] as const;
export const CustomerSort = z.enum(CUSTOMER_SORTS);
export type CustomerSort = z.infer<typeof CustomerSort>;

export const CUSTOMER_PAGE_SIZE = 50;

const customerFilter = { search: Search.optional(), status: CustomerStatus.optional() };

export const CustomerListInput = z.object({
  ...customerFilter,
  sort: CustomerSort.default('name'),
  order: SortOrder.default('asc'),
  cursor: Cursor.optional(),
});

export const CustomerPage = z.object({ rows: z.array(CustomerRow), next_cursor: Cursor.nullable() });
export type CustomerPage = z.infer<typeof CustomerPage>;

const customerNotFound = notFound('Customer not found');
const byId = z.object({ id: Id });

export const customers = {
  list: call('customers.view')
    .route({ method: 'GET', path: '/customers', summary: 'A page of customers', tags: ['customers'] })
    .input(CustomerListInput)
    .output(CustomerPage),

  count: call('customers.view')
    .route({ method: 'GET', path: '/customers/count', summary: 'How many customers the filter finds', tags: ['customers'] })
    .input(z.object(customerFilter))
    .output(z.object({ total: z.int() })),

  get: call('customers.view')
    .route({ method: 'GET', path: '/customers/{id}', summary: 'One customer', tags: ['customers'] })
    .input(byId)
    .output(Customer)
    .errors(customerNotFound),

  create: call('customers.edit')
    .route({
      method: 'POST',
      path: '/customers',
      summary: 'Add a customer under an id of your own making',
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
