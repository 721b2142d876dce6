import type { DialogFrameProps } from './dialog-frame.tsx';
import { useLazyModule } from './use-lazy-module.ts';

/** Content over the page: a dialog on desks, a sheet on phones. Its code comes when it first opens. */
export function Sheet(props: DialogFrameProps) {
  const { open, onOpenChange } = props;
  const file = useLazyModule(
    () => import('./dialog-frame.tsx'),
    open,
    () => onOpenChange(false),
  );
  return file ? <file.DialogFrame {...props} /> : null;
}
