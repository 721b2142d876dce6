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
  items: readonly MenuItem[] | MenuItemProvider;
}

/** Renders a component that provides the items, so that a long list runs the hooks behind them only for menus that were opened. */
export type MenuItemProvider = (renderMenu: (items: readonly MenuItem[]) => ReactElement) => ReactElement;

/** Menu of a few actions behind one button. The popup's code loads on the first press. */
export function Menu({ items, ...props }: MenuProps) {
  const [isRequested, setRequested] = useState(false);
  const loaded = useLazyModule(
    () => import('./menu-popup.tsx'),
    isRequested,
    () => setRequested(false),
  );
  if (loaded) {
    const renderMenu = (list: readonly MenuItem[]) => <loaded.MenuPopup {...props} items={list} />;
    return typeof items === 'function' ? items(renderMenu) : renderMenu(items);
  }
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
