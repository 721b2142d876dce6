import { countRecords, listRecords } from '../../platform/db/keyset-list.ts';
import { createRecordOnce, readRecord, updateRecordAtVersion } from '../../platform/db/records.ts';
import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { publishChange } from '../../platform/live/live.ts';
import { deleteInBackground } from '../deletions/delete-record.ts';
import { customerList, customerRecordType, listDuplicates, toStoredCustomer } from './customers.sql.ts';

export const customersHandlers = {
  list: calls.customers.list.handler(tenantQuery((scope, { input }) => listRecords(scope, customerList, input))),

  count: calls.customers.count.handler(
    tenantQuery(async (scope, { input }) => ({ total: await countRecords(scope, customerList, input) })),
  ),

  get: calls.customers.get.handler(tenantQuery((scope, { input }) => readRecord(scope, customerRecordType, input.id))),

  duplicates: calls.customers.duplicates.handler(tenantQuery(async (scope, { input }) => ({ rows: await listDuplicates(scope, input) }))),

  create: calls.customers.create.handler(
    tenantMutation(async (scope, { input: { id, ...fields } }) => {
      const customer = await createRecordOnce(scope, customerRecordType, id, toStoredCustomer(fields));
      await publishChange(scope, 'customers');
      return customer;
    }),
  ),

  update: calls.customers.update.handler(
    tenantMutation(async (scope, { input: { id, version, ...fields } }) => {
      const changes = { ...toStoredCustomer(fields), last_interaction: scope.now };
      const customer = await updateRecordAtVersion(scope, customerRecordType, { id, version }, changes);
      await publishChange(scope, 'customers', 'jobs', 'quotes');
      return customer;
    }),
  ),

  remove: calls.customers.remove.handler(
    tenantMutation(async (scope, { input }) => {
      await deleteInBackground(scope, customerRecordType, input.id);
      await publishChange(scope, 'customers', 'jobs', 'quotes', 'invoices');
      return {};
    }),
  ),
};
