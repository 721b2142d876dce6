import { type Category, CategoryForm } from '@callout/contract/categories';
import { Plus } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { hasCode } from '../../lib/error-messages.ts';
import { newId } from '../../lib/new-id.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { UnsavedChanges } from '../../ui/unsaved-changes.tsx';
import { useCreateCategory, useRenameCategory } from './categories.api.ts';

export function AddCategory() {
  const create = useCreateCategory();
  /** Kept until a save succeeds, so that sending it again after a lost answer does not add a second one. */
  const sent = useRef({ id: newId(), name: '' });
  const { form, submit, saving, isDirty } = useServerForm({
    schema: CategoryForm,
    defaultValues: { name: '' },
    save: ({ name }) => {
      if (sent.current.name !== name) sent.current = { id: newId(), name };
      return create.mutateAsync(sent.current);
    },
    saved: (_category, later) => {
      // The next name may have been typed while this one was being saved.
      form.reset({ name: '' });
      if (later.name !== undefined) form.reset({ name: later.name }, { keepDefaultValues: true });
      sent.current = { id: newId(), name: '' };
      form.setFocus('name');
    },
    failed: (error) => {
      if (hasCode(error, 'NAME_TAKEN')) form.setError('name', { message: error.message }, { shouldFocus: true });
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
      <UnsavedChanges isDirty={isDirty} />
    </form>
  );
}

/** Replaces the category's row. If someone else has renamed it, their name is shown and saving again replaces it. */
export function RenameCategory({ category, onClose }: { category: Category; onClose: () => void }) {
  const rename = useRenameCategory();
  const base = useRef(category);
  const { form, submit, saving, isDirty } = useServerForm({
    schema: CategoryForm,
    defaultValues: { name: category.name },
    save: ({ name }) => rename.mutateAsync({ id: category.id, version: base.current.version, name }),
    saved: onClose,
    failed: (error) => {
      if (hasCode(error, 'NAME_TAKEN')) form.setError('name', { message: error.message }, { shouldFocus: true });
      if (!hasCode(error, 'STALE_VERSION')) return;
      base.current = (error.data as { current: Category }).current;
      form.setError(
        'name',
        { message: `Someone else renamed it to “${base.current.name}”. Save again to replace that.` },
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
      <UnsavedChanges isDirty={isDirty} />
    </form>
  );
}
