import { RotateCcw } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { FormSection } from '../../ui/card.tsx';
import { type SortableItem, SortableList } from '../../ui/sortable-list.tsx';
import { toast } from '../../ui/toast.ts';
import { useSaveMenuOrder } from './company-settings.api.ts';

interface MenuOrderSettingsProps {
  /** Menu items that the user's role can see, in their current order. */
  visibleItems: readonly SortableItem[];
  /** Ids of all menu items, including those the role can't see. */
  allIds: readonly string[];
}

const TOAST_OPTIONS = { id: 'menu-order' };

export function MenuOrderSettings({ visibleItems, allIds }: MenuOrderSettingsProps) {
  const save = useSaveMenuOrder();
  const saveOrder = (order: string[] | null, text: string) => save.mutate(order, { onSuccess: () => toast.success(text, TOAST_OPTIONS) });
  return (
    <FormSection title="Menu order" description="Drag items, or use the arrows. Only you see this order, on all your devices.">
      <div className="sm:col-span-6">
        <div className="overflow-clip rounded-control ring-1 ring-line">
          <SortableList
            label="Menu order"
            items={visibleItems}
            onReorder={(ids) => saveOrder(reorderVisibleItems(allIds, ids), 'Menu order updated')}
          />
        </div>
        <Button className="mt-4" onClick={() => saveOrder(null, 'Menu order reset to default')}>
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
