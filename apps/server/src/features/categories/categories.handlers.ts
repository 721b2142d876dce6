import { updateRecordAtVersion } from '../../platform/db/records.ts';
import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { publishChange } from '../../platform/live/live.ts';
import { deleteInBackground } from '../deletions/delete-record.ts';
import { categoryRecordType, createCategory, listCategories } from './categories.sql.ts';

export const categoriesHandlers = {
  list: calls.categories.list.handler(tenantQuery(async (scope) => ({ rows: await listCategories(scope) }))),

  create: calls.categories.create.handler(
    tenantMutation(async (scope, { input: { id, ...fields } }) => {
      const category = await createCategory(scope, id, fields);
      await publishChange(scope, 'categories');
      return category;
    }),
  ),

  update: calls.categories.update.handler(
    tenantMutation(async (scope, { input: { id, version, ...fields } }) => {
      const category = await updateRecordAtVersion(scope, categoryRecordType, { id, version }, fields);
      await publishChange(scope, 'categories', 'jobs');
      return category;
    }),
  ),

  remove: calls.categories.remove.handler(
    tenantMutation(async (scope, { input }) => {
      await deleteInBackground(scope, categoryRecordType, input.id);
      await publishChange(scope, 'categories', 'jobs');
      return {};
    }),
  ),
};
