import { z } from 'zod';
import { call } from './call.ts';
import { idTaken, notFound, staleVersion } from './errors.ts';
import { Cursor, Id, Instant, OutputId, optionalEmail, optionalText, requiredText, Search, Version } from './fields.ts';
import { byId, pageOf, searchMatch } from './lists.ts';

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
  version: Version,
});
export type Supplier = z.infer<typeof Supplier>;

export const SupplierSummary = Supplier.pick({ id: true, company_name: true, status: true });

/** With a search, a row that was not matched by its name has items that match. */
export const SupplierRow = SupplierSummary.extend({ item_count: z.int(), matched: searchMatch('name') });
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

export const SupplierChange = z.object({ id: Id, version: Version, status: SupplierStatus, ...supplierFields });
export type SupplierChange = z.infer<typeof SupplierChange>;

export const SupplierForm = z.object({ ...supplierFields, status: SupplierStatus });
export type SupplierForm = z.infer<typeof SupplierForm>;

export const supplierNotFound = notFound('Supplier not found');

export const suppliers = {
  list: call('work.view')
    .route({
      method: 'GET',
      path: '/suppliers',
      summary: 'A page of suppliers by name; a search also finds those whose items match',
      tags: ['suppliers'],
    })
    .input(z.object({ search: Search.optional(), cursor: Cursor.optional() }))
    .output(pageOf(SupplierRow)),

  get: call('work.view')
    .route({ method: 'GET', path: '/suppliers/{id}', summary: 'One supplier', tags: ['suppliers'] })
    .input(byId)
    .output(Supplier)
    .errors(supplierNotFound),

  create: call('items.edit')
    .route({
      method: 'POST',
      path: '/suppliers',
      summary: 'Add a supplier under a client-made id',
      tags: ['suppliers'],
      successStatus: 201,
    })
    .input(NewSupplier)
    .output(Supplier)
    .errors(idTaken),

  update: call('items.edit')
    .route({ method: 'PUT', path: '/suppliers/{id}', summary: 'Change a supplier from a version', tags: ['suppliers'] })
    .input(SupplierChange)
    .output(Supplier)
    .errors({ ...supplierNotFound, ...staleVersion(Supplier) }),

  remove: call('items.edit')
    .route({
      method: 'DELETE',
      path: '/suppliers/{id}',
      summary: 'Delete a supplier and its price list; lines of jobs and quotes stay',
      tags: ['suppliers'],
    })
    .input(byId)
    .output(z.object({}))
    .errors(supplierNotFound),
};
