import type { ItemChoice } from '@callout/contract/items';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';

export interface ItemPickerProps {
  /** Height of the list in pixels at the default text size; 'page' fills the rest of the screen. */
  height: 200 | 300 | 'page';
  onPick: (item: ItemChoice) => void;
  busy?: boolean;
  pickedIds?: readonly string[] | undefined;
  /** Offers to type an item by hand if the price list doesn't have it. */
  onTypeOwn?: ((name: string) => void) | undefined;
}

/** Searches all suppliers' items. The search code loads on first use, which keeps it out of every page's bundle. */
export function ItemPicker(props: ItemPickerProps) {
  const module = useLazyModule(() => import('./item-list.tsx'), true);
  return module ? <module.ItemList {...props} /> : <SkeletonRows label="Loading..." count={4} className="h-18" />;
}
