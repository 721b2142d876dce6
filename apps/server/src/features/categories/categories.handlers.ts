import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { publishChange } from '../../platform/live/live.ts';
import { deleteCategory, insertCategory, readCategories, readCategory } from './categories.sql.ts';

export const categoriesHandlers = {
  list: calls.categories.list.handler(tenantQuery(async (scope) => ({ rows: await readCategories(scope) }))),

  create: calls.categories.create.handler(
    tenantMutation(async (scope, { input, errors }) => {
      const created = await insertCategory(scope, input);
      if (created) {
        await publishChange(scope, 'categories');
        return created;
      }
      const existing = await readCategory(scope, input.id);
      if (!existing) throw errors.NAME_TAKEN();
      // A retry on a bad line: the same request again is the same category.
      if (existing.name !== input.name) throw errors.ID_TAKEN();
      return existing;
    }),
  ),

  remove: calls.categories.remove.handler(
    tenantMutation(async (scope, { input, errors }) => {
      if (!(await deleteCategory(scope, input.id))) throw errors.NOT_FOUND();
      await publishChange(scope, 'categories');
      return {};
    }),
  ),
};
