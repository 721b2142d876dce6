import { Ellipsis, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { IconButton } from './button.tsx';
import { DeleteDialog } from './dialog.tsx';
import { Menu } from './menu.tsx';

interface DeleteMenuProps {
  /** In the menu: 'Delete Supplier'. */
  label?: string;
  /** The question, which names what is deleted. */
  title: string;
  /** What happens to everything that belongs to it. */
  description: ReactNode;
  busy: boolean;
  /** Deletes and leaves the page. */
  onDelete: () => Promise<unknown>;
}

/** Deleting, out of the way of what is pressed every day, and never without a question. */
export function DeleteMenu({ label = 'Delete', title, description, busy, onDelete }: DeleteMenuProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Menu
        label="More actions"
        trigger={
          <IconButton label="More actions">
            <Ellipsis aria-hidden="true" />
          </IconButton>
        }
        items={[{ label, icon: Trash2, tone: 'danger', onSelect: () => setAsking(true) }]}
      />
      <DeleteDialog open={asking} onOpenChange={setAsking} title={title} description={description} busy={busy} onDelete={onDelete} />
    </>
  );
}
