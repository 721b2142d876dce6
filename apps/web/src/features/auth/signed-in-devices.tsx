import type { SignedInDevice } from '@callout/contract/auth';
import { formatRelativeTime } from '@callout/domain/time/date-format';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { QueryView } from '../../lib/query-view.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { formatDeviceName, signedInDevicesQueryOptions, useSignOutDevice, useSignOutOtherDevices } from './auth-account.api.ts';

export function SignedInDevices() {
  const query = useQuery(signedInDevicesQueryOptions);
  const { data: devices } = query;
  const list = useRef<HTMLUListElement>(null);
  const isSigningOut = useRef(false);
  const onSignOut = () => {
    isSigningOut.current = true;
  };
  useEffect(() => {
    // Signing out a device removes its row and the focused button, so move the focus to the list.
    if (isSigningOut.current && devices && document.activeElement === document.body) list.current?.focus();
    isSigningOut.current = false;
  }, [devices]);
  return (
    <QueryView query={query} skeleton={<DevicesSkeleton />}>
      {(rows) => (
        <>
          <ul ref={list} tabIndex={-1} aria-label="Signed-in devices" className="divide-y">
            {rows.map((device) => (
              <DeviceRow key={device.id} device={device} onSignOut={onSignOut} />
            ))}
          </ul>
          <SignOutOtherDevices hasOthers={rows.length > 1} onSignOut={onSignOut} />
        </>
      )}
    </QueryView>
  );
}

interface DeviceRowProps {
  device: SignedInDevice;
  onSignOut: () => void;
}

function DeviceRow({ device, onSignOut }: DeviceRowProps) {
  const signOut = useSignOutDevice();
  const name = formatDeviceName(device);
  const signOutDevice = () => {
    onSignOut();
    signOut.mutate(device);
  };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 first:pt-0">
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-2 text-base font-medium">
          {name}
          {device.is_current && <StatusPill tone="accent" text="This device" />}
        </p>
        <p className="text-base text-ink-2 [overflow-wrap:anywhere]">{formatDeviceActivity(device)}</p>
      </div>
      {!device.is_current && (
        <Button busy={signOut.isPending} onClick={signOutDevice} aria-label={`Sign out ${name}`}>
          Sign out
        </Button>
      )}
    </li>
  );
}

function formatDeviceActivity({ network, is_current, last_active_at }: SignedInDevice): string {
  const when = is_current ? 'Active now' : `Last active ${formatRelativeTime(last_active_at, new Date().toISOString())}`;
  return network === null ? when : `${network} · ${when}`;
}

interface SignOutOtherDevicesProps {
  hasOthers: boolean;
  onSignOut: () => void;
}

/** Stays mounted when no other devices are left, so that its dialog can close properly and return the focus. */
function SignOutOtherDevices({ hasOthers, onSignOut }: SignOutOtherDevicesProps) {
  const signOut = useSignOutOtherDevices();
  const [isAsking, setAsking] = useState(false);
  const signOutOthers = () => {
    onSignOut();
    signOut.mutate(undefined, { onSuccess: () => setAsking(false) });
  };
  return (
    <>
      {hasOthers && (
        // With large text on a phone, the label is wider than the screen, so it must wrap.
        <Button onClick={() => setAsking(true)} className="h-auto! min-h-11 max-w-full py-2 whitespace-normal! lg:min-h-9 lg:py-1.5">
          Sign out all other devices
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Sign out all other devices?"
        description="You stay signed in here. Everywhere else you'll need your password to sign in again."
        confirmLabel="Sign Out"
        busy={signOut.isPending}
        onConfirm={signOutOthers}
      />
    </>
  );
}

function DevicesSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading devices</span>
      <Skeleton className="mb-2 h-5 w-48" />
      <Skeleton className="h-4 w-64" />
    </div>
  );
}
