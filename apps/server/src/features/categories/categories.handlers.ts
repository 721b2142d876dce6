import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { publishChange } from '../../platform/live/live.ts';
import { deleteCategory, insertCategory, readCategories, readCategory } from './categories.sql.ts';

export const categoriesHandlers = {
  list: calls.categories.list.handler(tenantQuery(async (scope) => ({ rows: await readCategories(scope) }))),

  create: calls.categories.create.handler(
    tenantMutation(async (scope, { input, errors }) => {
      const created = await insertCategory(scope, input);
      if (typeof created !== 'string') {
        await publishChange(scope, 'categories');
        return created;
      }
      // A retry on a bad connection: the same request again is the same category.
      const existing = await readCategory(scope, input.id);
      if (existing?.name !== input.name) throw errors[created]();
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
