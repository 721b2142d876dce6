import type { LucideIcon } from 'lucide-react';
import { cloneElement, type ReactElement, useState } from 'react';
import { useLazyModule } from './use-lazy-module.ts';

export interface MenuItem {
  label: string;
  icon?: LucideIcon;
  onSelect: () => void;
  tone?: 'danger';
  /** It cannot be chosen now, for this reason, which shows below its label. */
  disabledBecause?: string | undefined;
}

export interface MenuProps {
  /** Names the menu; the trigger's own words may be an icon. */
  label: string;
  trigger: ReactElement<{ onClick?: () => void; 'aria-label'?: string; 'aria-haspopup'?: 'menu'; 'aria-expanded'?: boolean }>;
  items: readonly MenuItem[];
}

/** A few actions behind one button. Its code comes at the first press. */
export function Menu(props: MenuProps) {
  const [wanted, setWanted] = useState(false);
  const file = useLazyModule(
    () => import('./menu-popup.tsx'),
    wanted,
    () => setWanted(false),
  );
  if (file) return <file.MenuPopup {...props} />;
  return cloneElement(props.trigger, {
    'aria-label': props.label,
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setWanted(true),
  });
}
