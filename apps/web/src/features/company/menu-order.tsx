import { RotateCcw } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { FormSection } from '../../ui/card.tsx';
import { type SortableItem, SortableList } from '../../ui/sortable-list.tsx';
import { toast } from '../../ui/toast.ts';
import { useSaveMenuOrder } from './company-settings.api.ts';

interface MenuOrderProps {
  /** The entries this person sees, in their order. */
  entries: readonly SortableItem[];
  /** All entries, in their order. */
  all: readonly string[];
}

/** Several moves in a row share one toast. */
const TOAST = { id: 'menu-order' };

export function MenuOrder({ entries, all }: MenuOrderProps) {
  const save = useSaveMenuOrder();
  const keep = (order: string[] | null, text: string) => save.mutate(order, { onSuccess: () => toast.success(text, TOAST) });
  return (
    <FormSection title="Menu order" description="Drag items, or use the arrows. Only you see this order, on all your devices.">
      <div className="sm:col-span-6">
        <div className="overflow-clip rounded-control ring-1 ring-line">
          <SortableList label="Menu order" items={entries} onOrder={(seen) => keep(withNewOrder(all, seen), 'Menu order updated')} />
        </div>
        <Button className="mt-4" onClick={() => keep(null, 'Menu order reset to default')}>
          <RotateCcw aria-hidden="true" />
          Reset to Default
        </Button>
      </div>
    </FormSection>
  );
}

/** Puts the entries a person sees into their new order; the others keep their position. */
export function withNewOrder(all: readonly string[], seen: readonly string[]): string[] {
  const next = seen.values();
  return all.map((id) => (seen.includes(id) ? (next.next().value ?? id) : id));
}
