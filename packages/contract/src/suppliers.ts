import { z } from 'zod';
import { defineCall } from './call.ts';
import { idTakenError, notFoundError, staleVersionError } from './errors.ts';
import { Cursor, Id, Instant, OutputId, optionalEmail, optionalText, RecordVersion, requiredText, SearchTerm } from './fields.ts';
import { CappedCount, idInput, matchedField, pageSchema } from './lists.ts';

const SUPPLIER_STATUSES = ['active', 'inactive'] as const;
export const SupplierStatus = z.enum(SUPPLIER_STATUSES, 'Please choose a status');

export const Supplier = z.object({
  id: OutputId,
  company_name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  address: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  postal_code: z.string().nullable(),
  country: z.string().nullable(),
  status: SupplierStatus,
  created_at: Instant,
  updated_at: Instant,
  version: RecordVersion,
});
export type Supplier = z.infer<typeof Supplier>;

export const SupplierSummary = Supplier.pick({ id: true, company_name: true, status: true });

/** `matched` is 'other' if the search matched the supplier's items instead of its name. */
export const SupplierRow = SupplierSummary.extend({ item_count: CappedCount, matched: matchedField('name') });
export type SupplierRow = z.infer<typeof SupplierRow>;

const supplierFields = {
  company_name: requiredText('Company name', 200),
  email: optionalEmail('Email'),
  phone: optionalText('Phone', 50),
  address: optionalText('Street address', 500),
  city: optionalText('City', 100),
  state: optionalText('State', 100),
  postal_code: optionalText('Postal code', 20),
  country: optionalText('Country', 100),
};

export const NewSupplier = z.object({ id: Id, ...supplierFields, status: SupplierStatus.default('active') });
export type NewSupplier = z.infer<typeof NewSupplier>;

export const UpdateSupplierInput = z.object({ id: Id, version: RecordVersion, status: SupplierStatus, ...supplierFields });
export type UpdateSupplierInput = z.infer<typeof UpdateSupplierInput>;

export const SupplierInput = z.object({ ...supplierFields, status: SupplierStatus });
export type SupplierInput = z.infer<typeof SupplierInput>;

export const supplierNotFoundError = notFoundError('Supplier not found');

export const suppliers = {
  list: defineCall('work.view')
    .route({
      method: 'GET',
      path: '/suppliers',
      summary: 'List suppliers by name; a search also finds suppliers by their items',
      tags: ['suppliers'],
    })
    .input(z.object({ search: SearchTerm.optional(), cursor: Cursor.optional() }))
    .output(pageSchema(SupplierRow)),

  get: defineCall('work.view')
    .route({ method: 'GET', path: '/suppliers/{id}', summary: 'Get a supplier', tags: ['suppliers'] })
    .input(idInput)
    .output(Supplier)
    .errors(supplierNotFoundError),

  create: defineCall('items.edit')
    .route({
      method: 'POST',
      path: '/suppliers',
      summary: 'Add a supplier under a client-generated id',
      tags: ['suppliers'],
      successStatus: 201,
    })
    .input(NewSupplier)
    .output(Supplier)
    .errors(idTakenError),

  update: defineCall('items.edit')
    .route({ method: 'PUT', path: '/suppliers/{id}', summary: 'Update a supplier, given its current version', tags: ['suppliers'] })
    .input(UpdateSupplierInput)
    .output(Supplier)
    .errors({ ...supplierNotFoundError, ...staleVersionError(Supplier) }),

  remove: defineCall('items.edit')
    .route({
      method: 'DELETE',
      path: '/suppliers/{id}',
      summary: 'Delete a supplier and its price list but keep job and quote lines',
      tags: ['suppliers'],
    })
    .input(idInput)
    .output(z.object({}))
    .errors(supplierNotFoundError),
};
