import { COST_SORTS } from '@callout/contract/items';
import { listRecords } from '../../platform/db/keyset-list.ts';
import { createOnce, deleteRecord, readRecord, updateFromVersion } from '../../platform/db/records.ts';
import { requireCapability } from '../../platform/errors/failures.ts';
import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { publishChange } from '../../platform/live/live.ts';
import {
  itemChoices,
  itemList,
  itemRecord,
  requireSupplier,
  storedItem,
  storedSupplier,
  supplierList,
  supplierRecord,
} from './suppliers.sql.ts';

const BY_NAME = { sort: 'name', order: 'asc' } as const;

export const suppliersHandlers = {
  list: calls.suppliers.list.handler(tenantQuery((scope, { input }) => listRecords(scope, supplierList, { ...BY_NAME, ...input }))),

  get: calls.suppliers.get.handler(tenantQuery((scope, { input }) => readRecord(scope, supplierRecord, input.id))),

  create: calls.suppliers.create.handler(
    tenantMutation(async (scope, { input: { id, ...fields } }) => {
      const supplier = await createOnce(scope, supplierRecord, id, storedSupplier(fields));
      await publishChange(scope, 'suppliers');
      return supplier;
    }),
  ),

  update: calls.suppliers.update.handler(
    tenantMutation(async (scope, { input: { id, version, ...fields } }) => {
      const supplier = await updateFromVersion(scope, supplierRecord, { id, version }, storedSupplier(fields));
      await publishChange(scope, 'suppliers');
      return supplier;
    }),
  ),

  remove: calls.suppliers.remove.handler(
    tenantMutation(async (scope, { input }) => {
      await deleteRecord(scope, supplierRecord, input.id);
      await publishChange(scope, 'suppliers');
      return {};
    }),
  ),
};

export const itemsHandlers = {
  list: calls.items.list.handler(
    tenantQuery(async (scope, { input, context }) => {
      if (COST_SORTS.includes(input.sort)) requireCapability(context.member.role, 'costs.view');
      await readRecord(scope, supplierRecord, input.supplier_id);
      return listRecords(scope, itemList, input);
    }),
  ),

  search: calls.items.search.handler(tenantQuery((scope, { input }) => listRecords(scope, itemChoices, { ...BY_NAME, ...input }))),

  get: calls.items.get.handler(tenantQuery((scope, { input }) => readRecord(scope, itemRecord, input.id))),

  create: calls.items.create.handler(
    tenantMutation(async (scope, { input: { id, ...fields } }) => {
      await requireSupplier(scope, fields.supplier_id);
      const item = await createOnce(scope, itemRecord, id, storedItem(fields));
      await publishChange(scope, 'suppliers');
      return item;
    }),
  ),

  update: calls.items.update.handler(
    tenantMutation(async (scope, { input: { id, version, ...fields } }) => {
      const item = await updateFromVersion(scope, itemRecord, { id, version }, storedItem(fields));
      await publishChange(scope, 'suppliers');
      return item;
    }),
  ),

  remove: calls.items.remove.handler(
    tenantMutation(async (scope, { input }) => {
      await deleteRecord(scope, itemRecord, input.id);
      await publishChange(scope, 'suppliers');
      return {};
    }),
  ),
};
