import { BookMarked, Plus } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useLazyModule, usePrefetch } from '../../ui/use-lazy-module.ts';
import type { InsertTemplateProps } from './insert-template.tsx';
import { BLANK_SECTION } from './section-card.tsx';

interface AddSectionProps {
  ref: RefObject<HTMLInputElement | null>;
  name: string;
  onName: (name: string) => void;
  /** What is typed was not added when the quote was to be saved. */
  problem: string | undefined;
  onAdd: (name: string) => void;
  onInsert: InsertTemplateProps['onInsert'];
}

const loadTemplates = () => import('./insert-template.tsx');

/** Below the sections: another one, empty or from a template. */
export function AddSection({ ref, name, onName, problem, onAdd, onInsert }: AddSectionProps) {
  const [error, setError] = useState<string>();
  const [isChoosing, setChoosing] = useState(false);
  const sheet = useLazyModule(loadTemplates, isChoosing, () => setChoosing(false));
  usePrefetch(loadTemplates);
  const add = () => {
    if (name.trim() === '') {
      setError(BLANK_SECTION);
      return;
    }
    onName('');
    onAdd(name.trim());
  };
  return (
    <div className="mt-3 flex flex-wrap items-start gap-2">
      <TextField
        ref={ref}
        label="New section"
        hideLabel
        placeholder="Name of a new section"
        maxLength={200}
        value={name}
        error={error ?? problem}
        onChange={({ target }) => {
          onName(target.value);
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
