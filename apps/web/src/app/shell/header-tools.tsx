import { useCan } from '../../features/company/company.api.ts';
import { NotificationBell } from '../../features/notifications/notification-bell.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

/** What stands at the end of the header and comes after the first paint. */
export function HeaderTools() {
  const inCompany = useCan('work.view');
  return (
    <>
      {inCompany && <NotificationBell />}
      <ThemeSwitch />
    </>
  );
}
