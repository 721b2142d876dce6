import { z } from 'zod';
import { defineCall } from './call.ts';
import { ERROR_STATUS, idTakenError, limitReachedError, notFoundError, staleVersionError } from './errors.ts';
import { Id, Instant, OutputId, RecordVersion, requiredText } from './fields.ts';
import { idInput } from './lists.ts';

export const Category = z.object({ id: OutputId, name: z.string(), created_at: Instant, version: RecordVersion });
export type Category = z.infer<typeof Category>;

export const CategoryInput = z.object({ name: requiredText('Category name', 100) });
export type CategoryInput = z.infer<typeof CategoryInput>;

export const NewCategory = z.object({ id: Id, ...CategoryInput.shape });
export type NewCategory = z.infer<typeof NewCategory>;

export const UpdateCategoryInput = z.object({ id: Id, version: RecordVersion, ...CategoryInput.shape });
export type UpdateCategoryInput = z.infer<typeof UpdateCategoryInput>;

export const categoryNotFoundError = notFoundError('Category not found');
export const categoryNameTakenError = {
  NAME_TAKEN: { status: ERROR_STATUS.NAME_TAKEN, message: 'A category with this name already exists.' },
} as const;

export const MAX_CATEGORIES = 200;
export const categoryLimitError = limitReachedError('A company can have at most 200 categories.');

export const categories = {
  list: defineCall('work.view')
    .route({ method: 'GET', path: '/categories', summary: 'List all categories by name', tags: ['categories'] })
    .output(z.object({ rows: z.array(Category) })),

  create: defineCall('categories.edit')
    .route({
      method: 'POST',
      path: '/categories',
      summary: 'Add a category under a client-generated id',
      tags: ['categories'],
      successStatus: 201,
    })
    .input(NewCategory)
    .output(Category)
    .errors({ ...idTakenError, ...categoryNameTakenError, ...categoryLimitError }),

  update: defineCall('categories.edit')
    .route({ method: 'PUT', path: '/categories/{id}', summary: 'Rename a category, given its current version', tags: ['categories'] })
    .input(UpdateCategoryInput)
    .output(Category)
    .errors({ ...categoryNotFoundError, ...categoryNameTakenError, ...staleVersionError(Category) }),

  remove: defineCall('categories.edit')
    .route({ method: 'DELETE', path: '/categories/{id}', summary: 'Delete a category but keep its jobs', tags: ['categories'] })
    .input(idInput)
    .output(z.object({}))
    .errors(categoryNotFoundError),
};
