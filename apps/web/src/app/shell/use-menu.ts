import { can } from '@callout/domain/roles/roles';
import { useEffect, useMemo } from 'react';
import { useMe } from '../../features/company/company.api.ts';
import { type MenuEntry, menuFor } from '../menu-entries.ts';
import { useNavigation } from '../navigation-store.ts';

/** The user's menu. Its order is stored on the server and copied to the local store. */
export function useMenu(): readonly MenuEntry[] {
  const { profile, is_system_admin: isSystemAdmin, menu_order: serverOrder } = useMe();
  const { menuOrder, setMenuOrder } = useNavigation();
  useEffect(() => setMenuOrder(serverOrder), [serverOrder, setMenuOrder]);
  const role = profile?.role;
  return useMemo(
    () => menuFor({ can: (capability) => can(role, capability), isSystemAdmin, order: menuOrder }),
    [role, isSystemAdmin, menuOrder],
  );
}
