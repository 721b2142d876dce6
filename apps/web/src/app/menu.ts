import { type Capability, hasCapability } from '@callout/domain/roles/roles';
import { useLocation } from '@tanstack/react-router';
import {
  BriefcaseBusiness,
  Calendar,
  FileText,
  HardHat,
  LayoutDashboard,
  ListTodo,
  type LucideIcon,
  Package,
  Settings,
  Shield,
  SquareKanban,
  Users,
} from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useMe } from '../features/company/company.api.ts';
import { useNavigationStore } from './navigation-store.ts';

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly to: string;
  readonly icon: LucideIcon;
  /** Key that opens the page when pressed after G. */
  readonly shortcutKey: string;
  readonly needs?: Capability;
  /** Path prefix of pages without a menu entry. While such a page is open, this entry is highlighted. */
  readonly relatedPath?: string;
}

/** Menu entries in the default order. */
export const MENU_ENTRIES: readonly MenuEntry[] = [
  { id: 'dashboard', label: 'Dashboard', to: '/dashboard', icon: LayoutDashboard, shortcutKey: 'd' },
  { id: 'todo', label: 'To Do', to: '/todo', icon: ListTodo, shortcutKey: 't' },
  { id: 'board', label: 'Job Board', to: '/board', icon: SquareKanban, shortcutKey: 'b' },
  { id: 'calendar', label: 'Calendar', to: '/calendar', icon: Calendar, shortcutKey: 'a' },
  { id: 'jobs', label: 'Jobs', to: '/jobs', icon: BriefcaseBusiness, shortcutKey: 'j', relatedPath: '/invoices' },
  { id: 'quotes', label: 'Quotes', to: '/quotes', icon: FileText, shortcutKey: 'q' },
  { id: 'customers', label: 'Customers', to: '/customers', icon: Users, shortcutKey: 'c' },
  { id: 'items-services', label: 'Items & Services', to: '/items-services', icon: Package, shortcutKey: 'i' },
  { id: 'staff', label: 'Staff', to: '/staff', icon: HardHat, shortcutKey: 'f', needs: 'staff.manage' },
  { id: 'settings', label: 'Settings', to: '/settings', icon: Settings, shortcutKey: 's' },
];

const ADMIN_ENTRY: MenuEntry = { id: 'admin', label: 'Admin', to: '/admin', icon: Shield, shortcutKey: 'm' };

interface MenuViewer {
  readonly role: string | undefined;
  readonly isSystemAdmin: boolean;
  readonly order: readonly string[] | null;
}

/** Sorts all entries in the user's order. Entries missing from `order` follow in the default order. */
export function sortMenu(order: readonly string[] | null): readonly MenuEntry[] {
  const getPosition = (entry: MenuEntry) => {
    const index = order?.indexOf(entry.id) ?? -1;
    return index === -1 ? MENU_ENTRIES.length : index;
  };
  return MENU_ENTRIES.toSorted((a, b) => getPosition(a) - getPosition(b));
}

/** Returns the entries this role may see. A user without a company has no role and sees at most Admin. */
export function buildMenu({ role, isSystemAdmin, order }: MenuViewer): readonly MenuEntry[] {
  const entries = sortMenu(order).filter(({ needs = 'work.view' }) => hasCapability(role, needs));
  return isSystemAdmin ? [...entries, ADMIN_ENTRY] : entries;
}

/** Returns the signed-in user's menu. The user's order is stored on the server and mirrored in `useNavigationStore`. */
export function useMenu(): readonly MenuEntry[] {
  const { profile, is_system_admin: isSystemAdmin, menu_order: serverOrder } = useMe();
  const menuOrder = useNavigationStore((store) => store.menuOrder);
  const setMenuOrder = useNavigationStore((store) => store.setMenuOrder);
  useEffect(() => setMenuOrder(serverOrder), [serverOrder, setMenuOrder]);
  const role = profile?.role;
  return useMemo(() => buildMenu({ role, isSystemAdmin, order: menuOrder }), [role, isSystemAdmin, menuOrder]);
}

export function useIsOnRelatedPage({ relatedPath: covers }: MenuEntry): boolean {
  return useLocation({ select: ({ pathname }) => covers !== undefined && pathname.startsWith(covers) });
}
