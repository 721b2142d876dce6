import { type JobView, type JobViewFilter, JobViewName } from '@callout/contract/job-views';
import { Pencil, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { createId } from '../../lib/create-id.ts';
import { hasErrorCode } from '../../lib/error-messages.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { DeleteDialog, Sheet } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useDialogSubject } from '../../ui/use-dialog-subject.ts';
import { isSameJobFilter } from './job-list-filter.ts';
import { useDeleteJobView, useRenameJobView, useReplaceJobViewFilter, useSaveJobView } from './jobs-views.api.ts';

interface ViewDialogProps {
  open: boolean;
  onClose: () => void;
  /** The filter of the list behind the dialog. */
  filter: JobViewFilter;
}

export function SaveViewDialog({ open, onClose, filter }: ViewDialogProps) {
  return (
    <Sheet
      open={open}
      onOpenChange={(isOpen) => isOpen || onClose()}
      title="Save view"
      description="Only you see your views. Dates such as Today always mean the current day."
    >
      <SaveViewForm filter={filter} onClose={onClose} />
    </Sheet>
  );
}

function SaveViewForm({ filter, onClose }: Omit<ViewDialogProps, 'open'>) {
  const save = useSaveJobView();
  /** A retry with the same name reuses the id, so that a lost response doesn't lead to a second view. */
  const pending = useRef({ id: createId(), name: '' });
  const { form, submit, saving } = useServerForm({
    schema: JobViewName,
    defaultValues: { name: '' },
    save: ({ name }) => {
      if (pending.current.name !== name) pending.current = { id: createId(), name };
      return save.mutateAsync({ ...pending.current, filter });
    },
    onSaved: onClose,
    onFailed: (error) => {
      if (hasErrorCode(error, 'NAME_TAKEN')) form.setError('name', { message: error.message }, { shouldFocus: true });
    },
  });
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <TextField
        {...form.register('name')}
        label="Name"
        placeholder="Waiting for parts"
        autoComplete="off"
        enterKeyHint="done"
        error={form.formState.errors.name?.message}
      />
      <Button type="submit" tone="primary" busy={saving} className="md:justify-self-end">
        {saving ? 'Saving…' : 'Save View'}
      </Button>
    </form>
  );
}

export function ManageViewsDialog({ open, onClose, filter, views }: ViewDialogProps & { views: readonly JobView[] }) {
  const remove = useDeleteJobView();
  const [deleting, setDeleting] = useState<JobView | null>(null);
  const { subject: displayed } = useDialogSubject(deleting);
  return (
    <Sheet open={open} onOpenChange={(isOpen) => isOpen || onClose()} title="Manage views">
      {views.length === 0 ? (
        <p className="text-base text-ink-2">You have no saved views.</p>
      ) : (
        <ul aria-label="Views" className="divide-y">
          {views.map((view) => (
            <ViewRow key={view.id} view={view} filter={filter} onDelete={() => setDeleting(view)} />
          ))}
        </ul>
      )}
      <DeleteDialog
        open={deleting !== null}
        onOpenChange={(isOpen) => isOpen || setDeleting(null)}
        title={`Delete view “${displayed?.name ?? ''}”?`}
        description="The jobs in it stay as they are."
        busy={remove.isPending}
        onDelete={async () => deleting && remove.mutateAsync(deleting)}
      />
    </Sheet>
  );
}

function ViewRow({ view, filter, onDelete }: { view: JobView; filter: JobViewFilter; onDelete: () => void }) {
  const replace = useReplaceJobViewFilter();
  const [isRenaming, setRenaming] = useState(false);
  const renameButton = useRef<HTMLButtonElement>(null);
  const wasRenaming = useRef(false);
  useEffect(() => {
    // The rename form had the focus and is now closed, so return the focus to the button that opened it.
    if (wasRenaming.current && !isRenaming) renameButton.current?.focus();
    wasRenaming.current = isRenaming;
  }, [isRenaming]);
  if (isRenaming) {
    return (
      <li className="py-2">
        <RenameViewForm view={view} onClose={() => setRenaming(false)} />
      </li>
    );
  }
  return (
    <li className="flex min-h-13 flex-wrap items-center gap-x-1 lg:min-h-11">
      <span className="min-w-0 flex-1 py-2 text-base font-medium [overflow-wrap:anywhere]">{view.name}</span>
      {!isSameJobFilter(view.filter, filter) && (
        <Button
          tone="quiet"
          aria-label={`Use current filters for ${view.name}`}
          busy={replace.isPending}
          onClick={() =>
            // The button disappears, so another one takes the focus.
            replace.mutate({ ...view, filter }, { onSuccess: () => renameButton.current?.focus() })
          }
        >
          Use current filters
        </Button>
      )}
      <IconButton ref={renameButton} label={`Rename ${view.name}`} onClick={() => setRenaming(true)}>
        <Pencil aria-hidden="true" />
      </IconButton>
      <IconButton label={`Delete ${view.name}`} onClick={onDelete}>
        <Trash2 aria-hidden="true" />
      </IconButton>
    </li>
  );
}

/** Replaces the view's row while renaming. If the name was changed on another device first, saving again overwrites it. */
function RenameViewForm({ view, onClose }: { view: JobView; onClose: () => void }) {
  const rename = useRenameJobView();
  const base = useRef(view);
  const { form, submit, saving } = useServerForm({
    schema: JobViewName,
    defaultValues: { name: view.name },
    save: ({ name }) => rename.mutateAsync({ id: view.id, version: base.current.version, name }),
    onSaved: onClose,
    onFailed: (error) => {
      if (hasErrorCode(error, 'NAME_TAKEN')) form.setError('name', { message: error.message }, { shouldFocus: true });
      if (!hasErrorCode(error, 'STALE_VERSION')) return;
      base.current = (error.data as { current: JobView }).current;
      const message = `This view was changed to “${base.current.name}” on another device. Save again to overwrite that name.`;
      form.setError('name', { message }, { shouldFocus: true });
    },
  });
  useEffect(() => form.setFocus('name', { shouldSelect: true }), [form]);
  return (
    <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-2">
      <TextField
        {...form.register('name')}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          // Escape would also close the dialog.
          event.stopPropagation();
          onClose();
        }}
        label={`Rename ${view.name}`}
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
    </form>
  );
}
