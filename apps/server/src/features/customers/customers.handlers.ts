import { lockCompany } from '../../platform/db/company-lock.sql.ts';
import { countRecords, listRecords } from '../../platform/db/keyset-list.ts';
import { createOnce, deleteRecord, readRecord, updateFromVersion } from '../../platform/db/records.ts';
import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { publishChange } from '../../platform/live/live.ts';
import { customerList, customerRecord, findDuplicates, storedFields } from './customers.sql.ts';

export const customersHandlers = {
  list: calls.customers.list.handler(tenantQuery((scope, { input }) => listRecords(scope, customerList, input))),

  count: calls.customers.count.handler(
    tenantQuery(async (scope, { input }) => ({ total: await countRecords(scope, customerList, input) })),
  ),

  get: calls.customers.get.handler(tenantQuery((scope, { input }) => readRecord(scope, customerRecord, input.id))),

  duplicates: calls.customers.duplicates.handler(tenantQuery(async (scope, { input }) => ({ rows: await findDuplicates(scope, input) }))),

  create: calls.customers.create.handler(
    tenantMutation(async (scope, { input: { id, ...fields } }) => {
      const customer = await createOnce(scope, customerRecord, id, storedFields(fields));
      await publishChange(scope, 'customers');
      return customer;
    }),
  ),

  update: calls.customers.update.handler(
    tenantMutation(async (scope, { input: { id, version, ...fields } }) => {
      const changes = { ...storedFields(fields), last_interaction: scope.now };
      const customer = await updateFromVersion(scope, customerRecord, { id, version }, changes);
      await publishChange(scope, 'customers', 'jobs', 'quotes');
      return customer;
    }),
  ),

  remove: calls.customers.remove.handler(
    tenantMutation(async (scope, { input }) => {
      // Their jobs are changed too: an invoice locks its job first and then the customer.
      await lockCompany(scope, scope.companyId);
      await deleteRecord(scope, customerRecord, input.id);
      await publishChange(scope, 'customers', 'jobs', 'quotes');
      return {};
    }),
  ),
};
