import type { ItemChoice } from '@callout/contract/items';
import { useState } from 'react';
import { createId } from '../../lib/create-id.ts';
import { Sheet } from '../../ui/dialog.tsx';
import { ItemPicker } from './item-picker.tsx';
import { useAddJobItem } from './jobs-items.api.ts';

interface AddItemSheetProps {
  jobId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function AddItemSheet(props: AddItemSheetProps) {
  return (
    <Sheet open={props.open} onOpenChange={props.onOpenChange} title="Add Item" size="medium">
      <AddItemPicker {...props} />
    </Sheet>
  );
}

function AddItemPicker({ jobId, onOpenChange }: AddItemSheetProps) {
  const add = useAddJobItem();
  /** Line ids by item, so that a retry after a lost response doesn't add an item twice. */
  const [ids] = useState(() => new Map<string, string>());
  const addOne = (item: ItemChoice) => {
    const id = ids.get(item.id) ?? createId();
    ids.set(item.id, id);
    add.mutate({ id, job_id: jobId, supplier_item_id: item.id }, { onSuccess: () => onOpenChange(false) });
  };
  return <ItemPicker height={300} busy={add.isPending} onPick={addOne} />;
}
