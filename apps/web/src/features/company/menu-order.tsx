import { RotateCcw } from 'lucide-react';
import { messageOf } from '../../lib/error-messages.ts';
import { reportFailure } from '../../lib/report-failure.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { type SortableItem, SortableList } from '../../ui/sortable-list.tsx';
import { toast } from '../../ui/toast.ts';
import { useSaveMenuOrder } from './company-settings.api.ts';
import { withNewOrder } from './menu-places.ts';

interface MenuOrderProps {
  /** What this person sees, in their order. */
  entries: readonly SortableItem[];
  /** Every entry there is, in their order. */
  all: readonly string[];
}

/** One toast for a row of moves, so that ten of them do not cover the screen. */
const TOAST = { id: 'menu-order' };

export function MenuOrder({ entries, all }: MenuOrderProps) {
  const save = useSaveMenuOrder();
  const keep = (order: string[] | null, says: string) =>
    save.mutate(order, {
      onSuccess: () => toast.success(says, TOAST),
      onError: (error) => reportFailure(error, `Failed to update menu order: ${messageOf(error)}`),
    });
  return (
    <div className="mx-auto max-w-xl">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-64 text-base text-ink-2">
          Drag the entries into the order you like, or use the arrows. It is yours alone, on every device.
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
