import { Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { DeleteDialog } from './dialog.tsx';
import { type MenuItem, MoreMenu } from './menu.tsx';

interface DeleteMenuProps {
  /** Text of the menu item, e.g. 'Delete Supplier'. */
  label?: string;
  /** Actions listed above Delete. */
  actions?: readonly MenuItem[] | undefined;
  /** Question that names the record, e.g. 'Delete Sam Leota?' */
  title: string;
  /** Explains what happens to everything that belongs to the record. */
  description: ReactNode;
  busy: boolean;
  /** Deletes the record and leaves the page. */
  onDelete: () => Promise<unknown>;
}

/** Menu that keeps Delete away from everyday actions and asks for confirmation. */
export function DeleteMenu({ label = 'Delete', actions, title, description, busy, onDelete }: DeleteMenuProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <MoreMenu items={[...(actions ?? []), { label, icon: Trash2, tone: 'danger', onSelect: () => setAsking(true) }]} />
      <DeleteDialog open={isAsking} onOpenChange={setAsking} title={title} description={description} busy={busy} onDelete={onDelete} />
    </>
  );
}
