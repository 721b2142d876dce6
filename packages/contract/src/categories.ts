import { z } from 'zod';
import { call } from './call.ts';
import { errorStatus, idTaken, notFound } from './errors.ts';
import { Id, Instant, KnownId, requiredText } from './fields.ts';

export const Category = z.object({ id: KnownId, name: z.string(), created_at: Instant });
export type Category = z.infer<typeof Category>;

export const CategoryForm = z.object({ name: requiredText('Category name', 100) });
export type CategoryForm = z.infer<typeof CategoryForm>;

export const NewCategory = z.object({ id: Id, ...CategoryForm.shape });
export type NewCategory = z.infer<typeof NewCategory>;

export const categories = {
  list: call('work.view')
    .route({ method: 'GET', path: '/categories', summary: 'Every category, by name', tags: ['categories'] })
    .output(z.object({ rows: z.array(Category) })),

  create: call('categories.edit')
    .route({
      method: 'POST',
      path: '/categories',
      summary: 'Add a category under an id of your own making',
      tags: ['categories'],
      successStatus: 201,
    })
    .input(NewCategory)
    .output(Category)
    .errors({ ...idTaken, NAME_TAKEN: { status: errorStatus.NAME_TAKEN, message: 'A category with this name exists already.' } }),

  remove: call('categories.edit')
    .route({ method: 'DELETE', path: '/categories/{id}', summary: 'Delete a category; its jobs stay', tags: ['categories'] })
    .input(z.object({ id: Id }))
    .output(z.object({}))
    .errors(notFound('Category not found')),
};
