import { CUSTOMER_STATUSES, CUSTOMER_TYPES } from '@callout/domain/customers/customer';
import { z } from 'zod';
import { defineCall } from './call.ts';
import { idTakenError, notFoundError, staleVersionError } from './errors.ts';
import {
  Id,
  Instant,
  OutputId,
  optionalEmail,
  optionalLongText,
  optionalText,
  RecordVersion,
  requiredEmail,
  requiredLongText,
  requiredText,
} from './fields.ts';
import { countInput, idInput, listInput, matchedField, pageSchema, RecordCount } from './lists.ts';

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
  version: RecordVersion,
});
export type Customer = z.infer<typeof Customer>;

/** The fields shown in a list row. Opening a customer loads the remaining fields. */
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

export const CustomerRow = CustomerSummary.extend({ matched: matchedField('name', 'company', 'contact') });
export type CustomerRow = z.infer<typeof CustomerRow>;

const CustomerContact = z.object({ phone: optionalText('Phone', 50), email: optionalText('Email', 254) });
export type CustomerContact = z.infer<typeof CustomerContact>;

export const CustomerDuplicate = Customer.pick({ id: true, name: true, company_name: true }).extend({ same: z.enum(['phone', 'email']) });
export type CustomerDuplicate = z.infer<typeof CustomerDuplicate>;

const customerFields = {
  type: z.enum(CUSTOMER_TYPES, 'Please choose a type'),
  name: requiredText('Name', 200),
  email: requiredEmail('Email'),
  phone: requiredText('Phone', 50),
  address: requiredLongText('Street address', 500),
  notes: optionalLongText('Notes', 10_000),
  company_name: optionalText('Company name', 200),
  contact_name: optionalText('Contact name', 200),
  contact_email: optionalEmail('Contact email'),
  contact_phone: optionalText('Contact phone', 50),
};

const withCompanyNameRule = <Schema extends z.ZodType<{ type: string; company_name: string | null }>>(schema: Schema) =>
  schema.refine(({ type, company_name }) => type !== 'company' || company_name !== null, {
    error: 'Company name is required',
    path: ['company_name'],
  });

export const NewCustomer = withCompanyNameRule(z.object({ id: Id, ...customerFields, status: CustomerStatus.default('active') }));
export type NewCustomer = z.infer<typeof NewCustomer>;

export const UpdateCustomerInput = withCompanyNameRule(
  z.object({ id: Id, version: RecordVersion, status: CustomerStatus, ...customerFields }),
);
export type UpdateCustomerInput = z.infer<typeof UpdateCustomerInput>;

export const CustomerInput = withCompanyNameRule(z.object({ ...customerFields, status: CustomerStatus }));
export type CustomerInput = z.infer<typeof CustomerInput>;

export const CUSTOMER_SORTS = ['name', 'company_name', 'created_at', 'last_interaction'] as const;
export const CustomerSort = z.enum(CUSTOMER_SORTS);
export type CustomerSort = z.infer<typeof CustomerSort>;

const customerFilters = { status: CustomerStatus.optional() };

export const CustomerListInput = listInput(customerFilters, CustomerSort.default('name'));

export const CustomerPage = pageSchema(CustomerRow);
export type CustomerPage = z.infer<typeof CustomerPage>;

export const customerNotFoundError = notFoundError('Customer not found');

export const customers = {
  list: defineCall('customers.view')
    .route({ method: 'GET', path: '/customers', summary: 'List customers', tags: ['customers'] })
    .input(CustomerListInput)
    .output(CustomerPage),

  count: defineCall('customers.view')
    .route({ method: 'GET', path: '/customers/count', summary: 'Count the customers that match a filter', tags: ['customers'] })
    .input(countInput(customerFilters))
    .output(RecordCount),

  get: defineCall('customers.view')
    .route({ method: 'GET', path: '/customers/{id}', summary: 'Get a customer', tags: ['customers'] })
    .input(idInput)
    .output(Customer)
    .errors(customerNotFoundError),

  duplicates: defineCall('customers.view')
    .route({
      method: 'GET',
      path: '/customers/duplicates',
      summary: 'Find customers with the same email address or phone number, ignoring phone formatting',
      tags: ['customers'],
    })
    .input(CustomerContact)
    .output(z.object({ rows: z.array(CustomerDuplicate) })),

  create: defineCall('customers.edit')
    .route({
      method: 'POST',
      path: '/customers',
      summary: 'Add a customer under a client-generated id',
      tags: ['customers'],
      successStatus: 201,
    })
    .input(NewCustomer)
    .output(Customer)
    .errors(idTakenError),

  update: defineCall('customers.edit')
    .route({ method: 'PUT', path: '/customers/{id}', summary: 'Update a customer, given its current version', tags: ['customers'] })
    .input(UpdateCustomerInput)
    .output(Customer)
    .errors({ ...customerNotFoundError, ...staleVersionError(Customer) }),

  remove: defineCall('customers.delete')
    .route({ method: 'DELETE', path: '/customers/{id}', summary: 'Delete a customer but keep their jobs and quotes', tags: ['customers'] })
    .input(idInput)
    .output(z.object({}))
    .errors(customerNotFoundError),
};
