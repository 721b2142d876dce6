import { BookMarked, Plus } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useLazyModule, usePrefetch } from '../../ui/use-lazy-module.ts';
import type { InsertTemplateDialogProps } from './insert-template-dialog.tsx';
import { BLANK_SECTION_NAME_ERROR } from './section-card.tsx';

interface AddSectionFormProps {
  ref: RefObject<HTMLInputElement | null>;
  name: string;
  onNameChange: (name: string) => void;
  /** Error shown when saving is blocked because the typed section name hasn't been added yet. */
  unaddedError: string | undefined;
  onAdd: (name: string) => void;
  onInsert: InsertTemplateDialogProps['onInsert'];
}

const loadTemplateDialog = () => import('./insert-template-dialog.tsx');

export function AddSectionForm({ ref, name, onNameChange, unaddedError, onAdd, onInsert }: AddSectionFormProps) {
  const [error, setError] = useState<string>();
  const [isDialogOpen, setDialogOpen] = useState(false);
  const module = useLazyModule(loadTemplateDialog, isDialogOpen, () => setDialogOpen(false));
  usePrefetch(loadTemplateDialog);
  const add = () => {
    if (name.trim() === '') {
      setError(BLANK_SECTION_NAME_ERROR);
      return;
    }
    onNameChange('');
    onAdd(name.trim());
  };
  return (
    <div className="mt-3 flex flex-wrap items-start gap-2">
      <TextField
        ref={ref}
        label="New section"
        hideLabel
        placeholder="New section name"
        maxLength={200}
        value={name}
        error={error ?? unaddedError}
        onChange={({ target }) => {
          onNameChange(target.value);
          setError(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          add();
        }}
        className="min-w-0 flex-1 basis-52 sm:max-w-xs"
      />
      <Button onClick={add}>
        <Plus aria-hidden="true" />
        Add Section
      </Button>
      <Button busy={isDialogOpen && !module} onClick={() => setDialogOpen(true)}>
        {(module || !isDialogOpen) && <BookMarked aria-hidden="true" />}
        Insert Template
      </Button>
      {module && (
        <module.InsertTemplateDialog
          open={isDialogOpen}
          onOpenChange={setDialogOpen}
          onInsert={(template) => {
            setDialogOpen(false);
            onInsert(template);
          }}
        />
      )}
    </div>
  );
}
