import { RotateCcw } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { type SortableItem, SortableList } from '../../ui/sortable-list.tsx';
import { toast } from '../../ui/toast.ts';
import { useSaveMenuOrder } from './company-settings.api.ts';

interface MenuOrderProps {
  /** What this person sees, in their order. */
  entries: readonly SortableItem[];
  /** Every entry there is, in their order. */
  all: readonly string[];
}

/** One toast for several moves in a row, so that ten of them do not cover the screen. */
const TOAST = { id: 'menu-order' };

export function MenuOrder({ entries, all }: MenuOrderProps) {
  const save = useSaveMenuOrder();
  const keep = (order: string[] | null, text: string) => save.mutate(order, { onSuccess: () => toast.success(text, TOAST) });
  return (
    <div className="mx-auto max-w-xl">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-64 text-base text-ink-2">
          Drag items, or use the arrows. Only you see this order, on all your devices.
        </p>
        <Button onClick={() => keep(null, 'Menu order reset to default')}>
          <RotateCcw aria-hidden="true" />
          Reset to Default
        </Button>
      </div>
      <Card className="overflow-clip">
        <SortableList label="Menu order" items={entries} onOrder={(seen) => keep(withNewOrder(all, seen), 'Menu order updated')} />
      </Card>
    </div>
  );
}

/** Puts the entries a person sees into their new order; those they do not see keep their place among all. */
export function withNewOrder(all: readonly string[], seen: readonly string[]): string[] {
  const next = seen.values();
  return all.map((id) => (seen.includes(id) ? (next.next().value ?? id) : id));
}
