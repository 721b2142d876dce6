import { DeleteDialog } from '../../ui/dialog.tsx';

interface DeleteQuoteDialogProps {
  /** The quote's name. Set only in lists, where the dialog must say which of several quotes will be deleted. */
  name?: string;
  isAccepted?: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  busy: boolean;
  onDelete: () => Promise<unknown>;
}

export function DeleteQuoteDialog({ name, isAccepted = false, ...rest }: DeleteQuoteDialogProps) {
  return (
    <DeleteDialog
      {...rest}
      title="Delete Quote"
      description={
        <>
          {name && <span className="mb-2 block font-medium text-ink">{name}</span>}
          <span className="block">Are you sure you want to delete this quote? This action cannot be undone.</span>
          {isAccepted && <span className="mt-2 block">Its job and the accepted copy won't be deleted.</span>}
        </>
      }
      label="Delete Quote"
      busyLabel="Deleting..."
    />
  );
}
