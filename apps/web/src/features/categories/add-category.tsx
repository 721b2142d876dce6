import { CategoryForm } from '@callout/contract/categories';
import { Plus } from 'lucide-react';
import { useRef } from 'react';
import { hasCode } from '../../lib/error-messages.ts';
import { newId } from '../../lib/new-id.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useCreateCategory } from './categories.api.ts';

export function AddCategory() {
  const create = useCreateCategory();
  /** Stays until a save has worked: sending again after a lost answer is the same category, not a second one. */
  const sent = useRef({ id: newId(), name: '' });
  const { form, submit, saving } = useServerForm({
    schema: CategoryForm,
    defaultValues: { name: '' },
    save: ({ name }) => {
      if (sent.current.name !== name) sent.current = { id: newId(), name };
      return create.mutateAsync(sent.current);
    },
    saved: (_category, later) => {
      // The next name may have been typed while this one was being saved.
      if (later.name === undefined) form.reset({ name: '' });
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
    </form>
  );
}
