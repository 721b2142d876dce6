import type { ItemChoice } from '@callout/contract/items';
import { useState } from 'react';
import { newId } from '../../lib/new-id.ts';
import { Sheet } from '../../ui/dialog.tsx';
import { ItemPicker } from './item-picker.tsx';
import { useAddItem } from './jobs-items.api.ts';

interface AddItemSheetProps {
  jobId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function AddItemSheet(props: AddItemSheetProps) {
  return (
    <Sheet open={props.open} onOpenChange={props.onOpenChange} title="Add Item" size="medium">
      <AddPickedItem {...props} />
    </Sheet>
  );
}

/** A press on an item adds one of it. */
function AddPickedItem({ jobId, onOpenChange }: AddItemSheetProps) {
  const add = useAddItem();
  /** One id for each item while the sheet is open: pressed again after a lost answer, it is added once. */
  const [ids] = useState(() => new Map<string, string>());
  const addOne = (item: ItemChoice) => {
    const id = ids.get(item.id) ?? newId();
    ids.set(item.id, id);
    add.mutate({ id, job_id: jobId, supplier_item_id: item.id }, { onSuccess: () => onOpenChange(false) });
  };
  return <ItemPicker height={300} busy={add.isPending} onPick={addOne} />;
}
