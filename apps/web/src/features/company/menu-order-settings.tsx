import { RotateCcw } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { FormSection } from '../../ui/card.tsx';
import { type SortableItem, SortableList } from '../../ui/sortable-list.tsx';
import { useSaveMenuOrder } from './company-settings.api.ts';

interface MenuOrderSettingsProps {
  /** Menu items that the user's role can see, in their current order. */
  visibleItems: readonly SortableItem[];
  /** Ids of all menu items, including those the role can't see. */
  allIds: readonly string[];
}

export function MenuOrderSettings({ visibleItems, allIds }: MenuOrderSettingsProps) {
  const { mutate: save } = useSaveMenuOrder();
  return (
    <FormSection title="Menu order" description="Drag items, or use the arrows. Only you see this order, on all your devices.">
      <div className="sm:col-span-6">
        <div className="overflow-clip rounded-control ring-1 ring-line">
          <SortableList
            label="Menu order"
            items={visibleItems}
            onReorder={(ids) => save({ menu_order: reorderVisibleItems(allIds, ids) })}
          />
        </div>
        <Button className="mt-4" onClick={() => save({ menu_order: null })}>
          <RotateCcw aria-hidden="true" />
          Reset to Default
        </Button>
      </div>
    </FormSection>
  );
}

/** Applies the visible items' new order to `allIds`. Hidden items keep their positions. */
export function reorderVisibleItems(allIds: readonly string[], visibleIds: readonly string[]): string[] {
  const next = visibleIds.values();
  return allIds.map((id) => (visibleIds.includes(id) ? (next.next().value ?? id) : id));
}
