import { z } from 'zod';
import { call } from './call.ts';
import { errorStatus, idTaken, limitReached, notFound, staleVersion } from './errors.ts';
import { Id, Instant, OutputId, requiredText, Version } from './fields.ts';
import { byId } from './lists.ts';

export const Category = z.object({ id: OutputId, name: z.string(), created_at: Instant, version: Version });
export type Category = z.infer<typeof Category>;

export const CategoryForm = z.object({ name: requiredText('Category name', 100) });
export type CategoryForm = z.infer<typeof CategoryForm>;

export const NewCategory = z.object({ id: Id, ...CategoryForm.shape });
export type NewCategory = z.infer<typeof NewCategory>;

export const CategoryChange = z.object({ id: Id, version: Version, ...CategoryForm.shape });
export type CategoryChange = z.infer<typeof CategoryChange>;

export const categoryNotFound = notFound('Category not found');
export const categoryNameTaken = {
  NAME_TAKEN: { status: errorStatus.NAME_TAKEN, message: 'A category with this name already exists.' },
} as const;

export const MAX_CATEGORIES = 200;
export const categoryLimit = limitReached('A company can have at most 200 categories.');

export const categories = {
  list: call('work.view')
    .route({ method: 'GET', path: '/categories', summary: 'Every category, by name', tags: ['categories'] })
    .output(z.object({ rows: z.array(Category) })),

  create: call('categories.edit')
    .route({
      method: 'POST',
      path: '/categories',
      summary: 'Add a category under a client-made id',
      tags: ['categories'],
      successStatus: 201,
    })
    .input(NewCategory)
    .output(Category)
    .errors({ ...idTaken, ...categoryNameTaken, ...categoryLimit }),

  update: call('categories.edit')
    .route({ method: 'PUT', path: '/categories/{id}', summary: 'Rename a category from a version', tags: ['categories'] })
    .input(CategoryChange)
    .output(Category)
    .errors({ ...categoryNotFound, ...categoryNameTaken, ...staleVersion(Category) }),

  remove: call('categories.edit')
    .route({ method: 'DELETE', path: '/categories/{id}', summary: 'Delete a category; its jobs stay', tags: ['categories'] })
    .input(byId)
    .output(z.object({}))
    .errors(categoryNotFound),
};
