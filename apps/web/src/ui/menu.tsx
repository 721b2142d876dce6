import { Ellipsis, type LucideIcon } from 'lucide-react';
import { cloneElement, type ReactElement, useState } from 'react';
import { IconButton } from './button.tsx';
import { useLazyModule } from './use-lazy-module.ts';

export interface MenuItem {
  /** Distinguishes items that may have the same label. */
  id?: string;
  label: string;
  icon?: LucideIcon;
  onSelect: () => void;
  tone?: 'danger';
  /** Disables the item and is displayed below its label. */
  disabledReason?: string | undefined;
}

export interface MenuProps {
  /** Accessible name of the menu, since the trigger may only be an icon. */
  label: string;
  trigger: ReactElement<{ onClick?: () => void; 'aria-label'?: string; 'aria-haspopup'?: 'menu'; 'aria-expanded'?: boolean }>;
  items: readonly MenuItem[];
}

/** Menu of a few actions behind one button. The popup's code loads on the first press. */
export function Menu(props: MenuProps) {
  const [isRequested, setRequested] = useState(false);
  const loaded = useLazyModule(
    () => import('./menu-popup.tsx'),
    isRequested,
    () => setRequested(false),
  );
  if (loaded) return <loaded.MenuPopup {...props} />;
  return cloneElement(props.trigger, {
    'aria-label': props.label,
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setRequested(true),
  });
}

interface MoreMenuProps extends Pick<MenuProps, 'items'> {
  label?: string;
  className?: string;
}

/** The "…" button with further actions on a record or row. */
export function MoreMenu({ label = 'More actions', className, items }: MoreMenuProps) {
  const trigger = (
    <IconButton label={label} className={className}>
      <Ellipsis aria-hidden="true" />
    </IconButton>
  );
  return <Menu label={label} trigger={trigger} items={items} />;
}
