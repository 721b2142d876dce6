import type { LucideIcon } from 'lucide-react';
import { cloneElement, lazy, type ReactElement, Suspense, useState } from 'react';

export interface MenuItem {
  label: string;
  icon?: LucideIcon;
  onSelect: () => void;
  tone?: 'danger';
  /** One of several choices, and this one holds. */
  checked?: boolean;
}

export interface MenuProps {
  /** Names the menu; the trigger's own words may be an icon. */
  label: string;
  trigger: ReactElement<{ onClick?: () => void; 'aria-label'?: string; 'aria-haspopup'?: 'menu'; 'aria-expanded'?: boolean }>;
  items: readonly MenuItem[];
}

const LazyPopup = lazy(() => import('./menu-popup.tsx').then((file) => ({ default: file.MenuPopup })));

/** A few actions behind one button. Its code comes at the first press. */
export function Menu(props: MenuProps) {
  const [wanted, setWanted] = useState(false);
  const closed = cloneElement(props.trigger, {
    'aria-label': props.label,
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setWanted(true),
  });
  if (!wanted) return closed;
  return (
    <Suspense fallback={closed}>
      <LazyPopup {...props} />
    </Suspense>
  );
}
