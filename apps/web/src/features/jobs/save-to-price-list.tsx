import type { JobItem } from '@callout/contract/jobs';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ListPlus } from 'lucide-react';
import { useState } from 'react';
import { createId } from '../../lib/create-id.ts';
import { getUniqueRows } from '../../lib/query-cache.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { useProfile } from '../company/company.api.ts';
import { suppliersListQueryOptions } from '../suppliers/suppliers.api.ts';
import { useListJobItem } from './jobs-items.api.ts';

/** Turns a line typed by hand into a price list item. A firm without suppliers needs no choice: the item becomes the firm's own. */
export function SaveToPriceList({ item }: { item: JobItem }) {
  const list = useListJobItem();
  const companyName = useProfile()?.company_name || 'Own items';
  const { data } = useInfiniteQuery(suppliersListQueryOptions(undefined));
  const suppliers = data ? getUniqueRows(data.pages) : [];
  const others = suppliers.filter(({ company_name, status }) => status === 'active' && company_name !== companyName);
  const [supplierId, setSupplierId] = useState('');
  const [itemId] = useState(createId);
  const save = () => list.mutate({ id: item.id, new_id: itemId, ...(supplierId && { supplier_id: supplierId }) });
  if (list.isSuccess) return null;
  return (
    <div className="flex flex-wrap items-end gap-2 rounded-control bg-sunken p-3 sm:col-span-6">
      {others.length > 0 && (
        <SelectField
          label="Price list"
          value={supplierId}
          onChange={({ target }) => setSupplierId(target.value)}
          choices={[{ value: '', label: companyName }, ...others.map(({ id, company_name }) => ({ value: id, label: company_name }))]}
          className="flex-1 basis-40"
        />
      )}
      <Button busy={list.isPending} onClick={save}>
        <ListPlus aria-hidden="true" />
        Save to price list
      </Button>
    </div>
  );
}
