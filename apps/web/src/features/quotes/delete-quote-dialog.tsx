import { DeleteDialog } from '../../ui/dialog.tsx';

interface DeleteQuoteDialogProps {
  /** Named where several quotes are on screen. */
  name?: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  busy: boolean;
  onDelete: () => Promise<unknown>;
}

export function DeleteQuoteDialog({ name, ...rest }: DeleteQuoteDialogProps) {
  return (
    <DeleteDialog
      {...rest}
      title="Delete Quote"
      description={
        <>
          {name && <span className="mb-2 block font-medium text-ink">{name}</span>}
          <span className="block">Are you sure you want to delete this quote? This action cannot be undone.</span>
        </>
      }
      label="Delete Quote"
      busyLabel="Deleting..."
    />
  );
}
