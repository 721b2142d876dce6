import type { Customer } from '@callout/contract/customers';
import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { publishChange } from '../../platform/live/live.ts';
import { countCustomers, listCustomers } from './customer-list.sql.ts';
import { deleteCustomer, insertCustomer, readCustomer, storedFields, updateCustomer } from './customers.sql.ts';

export const customersHandlers = {
  list: calls.customers.list.handler(tenantQuery((scope, { input }) => listCustomers(scope, input))),

  count: calls.customers.count.handler(tenantQuery(async (scope, { input }) => ({ total: await countCustomers(scope, input) }))),

  get: calls.customers.get.handler(
    tenantQuery(async (scope, { input, errors }) => {
      const customer = await readCustomer(scope, input.id);
      if (!customer) throw errors.NOT_FOUND();
      return customer;
    }),
  ),

  create: calls.customers.create.handler(
    tenantMutation(async (scope, { input, errors }) => {
      const created = await insertCustomer(scope, input);
      if (created) {
        await publishChange(scope, 'customers');
        return created;
      }
      // A retry on a bad connection: the same request again is the same customer.
      const existing = await readCustomer(scope, input.id);
      if (!existing || !isSameRequest(existing, storedFields(input))) throw errors.ID_TAKEN();
      return existing;
    }),
  ),

  update: calls.customers.update.handler(
    tenantMutation(async (scope, { input, errors }) => {
      const updated = await updateCustomer(scope, input);
      if (updated) {
        await publishChange(scope, 'customers');
        return updated;
      }
      const current = await readCustomer(scope, input.id);
      if (!current) throw errors.NOT_FOUND();
      throw errors.STALE_VERSION({ data: { current } });
    }),
  ),

  remove: calls.customers.remove.handler(
    tenantMutation(async (scope, { input, errors }) => {
      if (!(await deleteCustomer(scope, input.id))) throw errors.NOT_FOUND();
      await publishChange(scope, 'customers');
      return {};
    }),
  ),
};

function isSameRequest(customer: Customer, fields: ReturnType<typeof storedFields>): boolean {
  const existing: Record<string, unknown> = customer;
  return Object.entries(fields).every(([field, value]) => !(field in existing) || existing[field] === value);
}
