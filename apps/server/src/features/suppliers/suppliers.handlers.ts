import { COST_SORTS } from '@callout/contract/items';
import { listRecords } from '../../platform/db/keyset-list.ts';
import { createRecordOnce, deleteRecord, readRecord, updateRecordAtVersion } from '../../platform/db/records.ts';
import { requireCapability } from '../../platform/errors/failures.ts';
import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { publishChange } from '../../platform/live/live.ts';
import { deleteInBackground } from '../deletions/delete-record.ts';
import {
  itemList,
  itemPickerList,
  itemRecordType,
  listPriceList,
  lockSupplier,
  readPriceListRevision,
  supplierList,
  supplierRecordType,
  toStoredItem,
  toStoredSupplier,
} from './suppliers.sql.ts';

const NAME_ORDER = { sort: 'name', order: 'asc' } as const;

export const suppliersHandlers = {
  list: calls.suppliers.list.handler(tenantQuery((scope, { input }) => listRecords(scope, supplierList, { ...NAME_ORDER, ...input }))),

  get: calls.suppliers.get.handler(tenantQuery((scope, { input }) => readRecord(scope, supplierRecordType, input.id))),

  create: calls.suppliers.create.handler(
    tenantMutation(async (scope, { input: { id, ...fields } }) => {
      const supplier = await createRecordOnce(scope, supplierRecordType, id, toStoredSupplier(fields));
      await publishChange(scope, 'suppliers');
      return supplier;
    }),
  ),

  update: calls.suppliers.update.handler(
    tenantMutation(async (scope, { input: { id, version, ...fields } }) => {
      const supplier = await updateRecordAtVersion(scope, supplierRecordType, { id, version }, toStoredSupplier(fields));
      await publishChange(scope, 'suppliers');
      return supplier;
    }),
  ),

  remove: calls.suppliers.remove.handler(
    tenantMutation(async (scope, { input }) => {
      await deleteInBackground(scope, supplierRecordType, input.id);
      await publishChange(scope, 'suppliers');
      return {};
    }),
  ),
};

export const itemsHandlers = {
  list: calls.items.list.handler(
    tenantQuery(async (scope, { input, context }) => {
      if (COST_SORTS.includes(input.sort)) requireCapability(context.member.role, 'costs.view');
      await readRecord(scope, supplierRecordType, input.supplier_id);
      return listRecords(scope, itemList, input);
    }),
  ),

  priceList: calls.items.priceList.handler(
    tenantQuery(async (scope, { input }) => {
      const revision = await readPriceListRevision(scope);
      return { revision, items: revision === input.revision ? null : await listPriceList(scope) };
    }),
  ),

  // An inactive supplier's items stay on the lines that have them but can't be chosen for new ones.
  search: calls.items.search.handler(
    tenantQuery((scope, { input }) => listRecords(scope, itemPickerList, { ...NAME_ORDER, ...input, supplier_status: 'active' })),
  ),

  get: calls.items.get.handler(tenantQuery((scope, { input }) => readRecord(scope, itemRecordType, input.id))),

  create: calls.items.create.handler(
    tenantMutation(async (scope, { input: { id, ...fields } }) => {
      await lockSupplier(scope, fields.supplier_id);
      const item = await createRecordOnce(scope, itemRecordType, id, toStoredItem(fields));
      await publishChange(scope, 'suppliers');
      return item;
    }),
  ),

  update: calls.items.update.handler(
    tenantMutation(async (scope, { input: { id, version, ...fields } }) => {
      await readRecord(scope, itemRecordType, id);
      const item = await updateRecordAtVersion(scope, itemRecordType, { id, version }, toStoredItem(fields));
      await publishChange(scope, 'suppliers');
      return item;
    }),
  ),

  remove: calls.items.remove.handler(
    tenantMutation(async (scope, { input }) => {
      await readRecord(scope, itemRecordType, input.id);
      await deleteRecord(scope, itemRecordType, input.id);
      await publishChange(scope, 'suppliers');
      return {};
    }),
  ),
};
