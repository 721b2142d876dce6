import type { SectionTemplate } from '@callout/contract/quotes';
import { useQuery } from '@tanstack/react-query';
import { BookMarked, Trash2 } from 'lucide-react';
import { QueryView } from '../../lib/query-view.tsx';
import { IconButton } from '../../ui/button.tsx';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { sectionTemplatesQueryOptions, useDeleteTemplate } from './quotes.api.ts';

export interface InsertTemplateDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onInsert: (template: SectionTemplate) => void;
}

export function InsertTemplateDialog({ open, onOpenChange, onInsert }: InsertTemplateDialogProps) {
  return (
    <DialogFrame open={open} onOpenChange={onOpenChange} title="Insert Template" size="medium">
      {open && <TemplateList onInsert={onInsert} />}
    </DialogFrame>
  );
}

function TemplateList({ onInsert }: Pick<InsertTemplateDialogProps, 'onInsert'>) {
  const query = useQuery(sectionTemplatesQueryOptions);
  const remove = useDeleteTemplate();
  return (
    <QueryView
      query={query}
      skeleton={<SkeletonRows label="Loading..." count={3} className="h-14" />}
      isEmpty={(templates) => templates.length === 0}
      empty={<EmptyState icon={BookMarked} message="No templates yet" hint="Save a section as a template to use it in other quotes." />}
    >
      {(templates) => (
        <ul aria-label="Templates" className="divide-y">
          {templates.map((template) => (
            <li key={template.id} className="flex items-center gap-1">
              <button
                type="button"
                onClick={() => onInsert(template)}
                className="min-w-0 flex-1 rounded-control px-2 py-2.5 text-left hover:bg-sunken"
              >
                <span className="block text-base font-medium [overflow-wrap:anywhere]">{template.name}</span>
                <span className="block truncate text-sm text-ink-3">{formatItemNames(template)}</span>
              </button>
              <IconButton label={`Delete template ${template.name}`} disabled={remove.isPending} onClick={() => remove.mutate(template)}>
                <Trash2 aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </QueryView>
  );
}

const formatItemNames = ({ items }: SectionTemplate) => (items.length === 0 ? 'No items' : items.map(({ name }) => name).join(', '));
