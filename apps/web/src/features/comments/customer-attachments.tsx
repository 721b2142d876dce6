import { Card } from '../../ui/card.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';

/** Shows a customer's attachments. The table's code loads when the tab is first opened. */
export function CustomerAttachments({ customerId }: { customerId: string }) {
  const table = useLazyModule(() => import('./attachments-table.tsx'), true);
  return table ? <table.AttachmentsTable customerId={customerId} /> : <AttachmentsSkeleton />;
}

export function AttachmentsSkeleton() {
  return (
    <Card className="overflow-clip">
      <SkeletonRows label="Loading..." count={6} className="h-24 lg:h-14" />
    </Card>
  );
}
