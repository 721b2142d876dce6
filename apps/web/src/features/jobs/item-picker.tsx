import type { ItemChoice } from '@callout/contract/items';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';

export interface ItemPickerProps {
  /** Of the list, in pixels at the usual text size; 'page' fills what the screen has left. */
  height: 200 | 300 | 'page';
  onPick: (item: ItemChoice) => void;
  /** A pick is being saved: nothing else can be picked. */
  busy?: boolean;
  /** Marked in the list. */
  pickedId?: string | undefined;
}

/** The items of all suppliers, searched by name or SKU. Its code comes when it is first shown: no page has it from the start. */
export function ItemPicker(props: ItemPickerProps) {
  const file = useLazyModule(() => import('./item-list.tsx'), true);
  return file ? <file.ItemList {...props} /> : <SkeletonRows label="Loading..." count={4} className="h-18" />;
}
