import { type Capability, can } from '@callout/domain/roles/roles';
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
import { useNavigation } from './navigation-store.ts';

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly to: string;
  readonly icon: LucideIcon;
  /** The shortcut: G, then this key. */
  readonly key: string;
  readonly needs?: Capability;
  /** Where pages without an entry of their own begin that belong to this one. */
  readonly covers?: string;
}

/** In the default order. */
export const MENU: readonly MenuEntry[] = [
  { id: 'dashboard', label: 'Dashboard', to: '/dashboard', icon: LayoutDashboard, key: 'd' },
  { id: 'todo', label: 'To Do', to: '/todo', icon: ListTodo, key: 't' },
  { id: 'board', label: 'Job Board', to: '/board', icon: SquareKanban, key: 'b' },
  { id: 'calendar', label: 'Calendar', to: '/calendar', icon: Calendar, key: 'a' },
  { id: 'jobs', label: 'Jobs', to: '/jobs', icon: BriefcaseBusiness, key: 'j', covers: '/invoices' },
  { id: 'quotes', label: 'Quotes', to: '/quotes', icon: FileText, key: 'q' },
  { id: 'customers', label: 'Customers', to: '/customers', icon: Users, key: 'c' },
  { id: 'items-services', label: 'Items & Services', to: '/items-services', icon: Package, key: 'i' },
  { id: 'staff', label: 'Staff', to: '/staff', icon: HardHat, key: 'f', needs: 'staff.manage' },
  { id: 'settings', label: 'Settings', to: '/settings', icon: Settings, key: 's' },
];

const ADMIN: MenuEntry = { id: 'admin', label: 'Admin', to: '/admin', icon: Shield, key: 'm' };

interface Viewer {
  readonly role: string | undefined;
  readonly isSystemAdmin: boolean;
  readonly order: readonly string[] | null;
}

/** All entries in the user's order; entries it does not name follow in the default order. */
export function inOrder(order: readonly string[] | null): readonly MenuEntry[] {
  const position = (entry: MenuEntry) => {
    const index = order?.indexOf(entry.id) ?? -1;
    return index === -1 ? MENU.length : index;
  };
  return MENU.toSorted((a, b) => position(a) - position(b));
}

/** The entries that the role may see. Without a company there is no role, and so no entry. */
export function menuFor({ role, isSystemAdmin, order }: Viewer): readonly MenuEntry[] {
  const entries = inOrder(order).filter(({ needs = 'work.view' }) => can(role, needs));
  return isSystemAdmin ? [...entries, ADMIN] : entries;
}

/** The user's menu. Its order is stored on the server and copied to the local store. */
export function useMenu(): readonly MenuEntry[] {
  const { profile, is_system_admin: isSystemAdmin, menu_order: serverOrder } = useMe();
  const menuOrder = useNavigation((store) => store.menuOrder);
  const setMenuOrder = useNavigation((store) => store.setMenuOrder);
  useEffect(() => setMenuOrder(serverOrder), [serverOrder, setMenuOrder]);
  const role = profile?.role;
  return useMemo(() => menuFor({ role, isSystemAdmin, order: menuOrder }), [role, isSystemAdmin, menuOrder]);
}

/** Whether a page is open that belongs to this entry without being below its path. */
export function useIsCovered({ covers }: MenuEntry): boolean {
  return useLocation({ select: ({ pathname }) => covers !== undefined && pathname.startsWith(covers) });
}
