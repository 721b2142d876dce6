import { type Category, CategoryInput } from '@callout/contract/categories';
import { Plus } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { createId } from '../../lib/create-id.ts';
import { hasErrorCode } from '../../lib/error-messages.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { UnsavedChangesPrompt } from '../../ui/unsaved-changes-prompt.tsx';
import { useCreateCategory, useRenameCategory } from './categories.api.ts';

export function AddCategoryForm() {
  const create = useCreateCategory();
  /** A retry with the same name reuses the id, so that a lost response doesn't lead to a second category. */
  const pending = useRef({ id: createId(), name: '' });
  const { form, submit, saving, isDirty } = useServerForm({
    schema: CategoryInput,
    defaultValues: { name: '' },
    save: ({ name }) => {
      if (pending.current.name !== name) pending.current = { id: createId(), name };
      return create.mutateAsync(pending.current);
    },
    onSaved: (_category, unsavedEdits) => {
      // Clears the field. If the user typed the next name during the save, keeps that name as an unsaved edit.
      form.reset({ name: '' });
      if (unsavedEdits.name !== undefined) form.reset({ name: unsavedEdits.name }, { keepDefaultValues: true });
      pending.current = { id: createId(), name: '' };
      form.setFocus('name');
    },
    onFailed: (error) => {
      if (hasErrorCode(error, 'NAME_TAKEN')) form.setError('name', { message: error.message }, { shouldFocus: true });
    },
  });
  return (
    <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-2">
      <TextField
        {...form.register('name')}
        label="Category name"
        hideLabel
        placeholder="New category"
        autoComplete="off"
        enterKeyHint="done"
        error={form.formState.errors.name?.message}
        className="flex-1 basis-24"
      />
      <Button type="submit" tone="primary" busy={saving}>
        {!saving && <Plus aria-hidden="true" />}
        {saving ? 'Adding…' : 'Add Category'}
      </Button>
      <UnsavedChangesPrompt isDirty={isDirty} />
    </form>
  );
}

/** Replaces the category's row while renaming. If someone else renamed the category first, saving again overwrites their name. */
export function RenameCategoryForm({ category, onClose }: { category: Category; onClose: () => void }) {
  const rename = useRenameCategory();
  const base = useRef(category);
  const { form, submit, saving, isDirty } = useServerForm({
    schema: CategoryInput,
    defaultValues: { name: category.name },
    save: ({ name }) => rename.mutateAsync({ id: category.id, version: base.current.version, name }),
    onSaved: onClose,
    onFailed: (error) => {
      if (hasErrorCode(error, 'NAME_TAKEN')) form.setError('name', { message: error.message }, { shouldFocus: true });
      if (!hasErrorCode(error, 'STALE_VERSION')) return;
      base.current = (error.data as { current: Category }).current;
      form.setError(
        'name',
        { message: `Someone else renamed this category to “${base.current.name}”. Save again to overwrite that name.` },
        { shouldFocus: true },
      );
    },
  });
  useEffect(() => form.setFocus('name', { shouldSelect: true }), [form]);
  return (
    <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-2">
      <TextField
        {...form.register('name')}
        onKeyDown={({ key }) => {
          if (key === 'Escape') onClose();
        }}
        label={`Rename ${category.name}`}
        hideLabel
        autoComplete="off"
        enterKeyHint="done"
        error={form.formState.errors.name?.message}
        className="flex-1 basis-24"
      />
      <Button type="submit" tone="primary" busy={saving}>
        Save
      </Button>
      <Button tone="quiet" onClick={onClose}>
        Cancel
      </Button>
      <UnsavedChangesPrompt isDirty={isDirty} />
    </form>
  );
}
