import type { Job, JobItem } from '@callout/contract/jobs';
import { useQuery } from '@tanstack/react-query';
import { ListPlus } from 'lucide-react';
import { useId, useState } from 'react';
import { useCommand } from '../../lib/commands/use-command.ts';
import { createId } from '../../lib/create-id.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { useProfile } from '../company/company.api.ts';
import { activeSuppliersQueryOptions } from '../suppliers/suppliers.api.ts';
import { toNamedJob } from './jobs.api.ts';
import { listItem } from './jobs-items.api.ts';

interface SaveToPriceListProps {
  job: Job;
  item: JobItem;
  /** True if the form has changes. The price list would get the stored values instead. */
  isDirty: boolean;
  /** Moves the focus from the button, which disappears. */
  onListed: () => void;
}

/** Turns a line typed by hand into a price list item. A firm without suppliers needs no choice: the item becomes the firm's own. */
export function SaveToPriceList({ job, item, isDirty, onListed }: SaveToPriceListProps) {
  const list = useCommand(listItem, { onAnswer: onListed, onUnsent: onListed });
  const reasonId = useId();
  const companyName = useProfile()?.company_name || 'Own items';
  const suppliers = useQuery(activeSuppliersQueryOptions).data ?? [];
  const own = suppliers.find(({ company_name }) => company_name === companyName);
  const choices = [
    // The server adds a supplier named after the company if there is none.
    ...(own ? [] : [{ value: '', label: companyName }]),
    ...suppliers.map(({ id, company_name }) => ({ value: id, label: company_name })),
  ];
  const [chosenId, setChosenId] = useState<string>();
  const supplierId = chosenId ?? own?.id ?? '';
  const [itemId] = useState(createId);
  const save = () => {
    const input = { id: item.id, new_id: itemId, ...(supplierId && { supplier_id: supplierId }) };
    list.mutate({ job: toNamedJob(job), name: item.name, input });
  };
  if (list.isSuccess) return null;
  return (
    <div className="flex flex-wrap items-end gap-2 rounded-control bg-sunken p-3 sm:col-span-6">
      {choices.length > 1 && (
        <SelectField
          label="Price list"
          value={supplierId}
          onChange={({ target }) => setChosenId(target.value)}
          choices={choices}
          className="flex-1 basis-40"
        />
      )}
      <Button busy={list.isPending} disabled={isDirty} aria-describedby={isDirty ? reasonId : undefined} onClick={save}>
        <ListPlus aria-hidden="true" />
        Save to price list
      </Button>
      {isDirty && (
        <p id={reasonId} className="basis-full text-sm text-ink-2">
          Save your changes first, so that the price list gets the new values.
        </p>
      )}
    </div>
  );
}
