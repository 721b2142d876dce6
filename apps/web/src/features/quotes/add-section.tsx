import { BookMarked, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useLazyModule, usePrefetch } from '../../ui/use-lazy-module.ts';
import type { InsertTemplateProps } from './insert-template.tsx';
import { BLANK_SECTION } from './section-card.tsx';

interface AddSectionProps {
  onAdd: (name: string) => void;
  onInsert: InsertTemplateProps['onInsert'];
}

const loadTemplates = () => import('./insert-template.tsx');

/** A new section, empty or as a template has it. */
export function AddSection({ onAdd, onInsert }: AddSectionProps) {
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  const [isChoosing, setChoosing] = useState(false);
  const sheet = useLazyModule(loadTemplates, isChoosing, () => setChoosing(false));
  usePrefetch(loadTemplates);
  const add = () => {
    if (name.trim() === '') {
      setError(BLANK_SECTION);
      return;
    }
    setName('');
    onAdd(name.trim());
  };
  return (
    <div className="mt-3 flex flex-wrap items-start gap-2">
      <TextField
        label="New section"
        hideLabel
        placeholder="Name of a new section"
        maxLength={200}
        value={name}
        error={error}
        onChange={({ target }) => {
          setName(target.value);
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
      <Button busy={isChoosing && !sheet} onClick={() => setChoosing(true)}>
        {(sheet || !isChoosing) && <BookMarked aria-hidden="true" />}
        Insert Template
      </Button>
      {sheet && (
        <sheet.InsertTemplate
          open={isChoosing}
          onOpenChange={setChoosing}
          onInsert={(template) => {
            setChoosing(false);
            onInsert(template);
          }}
        />
      )}
    </div>
  );
}
