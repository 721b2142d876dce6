import { lazy, Suspense, useState } from 'react';
import type { DialogFrameProps } from './dialog-frame.tsx';

const LazyFrame = lazy(() => import('./dialog-frame.tsx').then((file) => ({ default: file.DialogFrame })));

/** Content over the page: a dialog on desks, a sheet on phones. Its code comes when it first opens. */
export function Sheet(props: DialogFrameProps) {
  const [wanted, setWanted] = useState(props.open);
  if (props.open && !wanted) setWanted(true);
  return wanted ? (
    <Suspense fallback={null}>
      <LazyFrame {...props} />
    </Suspense>
  ) : null;
}
