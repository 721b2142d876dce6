import type { SignedInDevice } from '@callout/contract/auth';
import { relativeTime } from '@callout/domain/time/date-format';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { centralMessage, hasCode, messageOf, reportFailure } from '../../lib/error-messages.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { toast } from '../../ui/toast.ts';
import { devicesQuery, useSignOutDevices } from './auth-account.api.ts';

/** Every browser the person is signed in with, and a way to sign out those they no longer have. */
export function SignedInDevices() {
  const { data: devices, error, isFetching, refetch } = useQuery(devicesQuery);
  const list = useRef<HTMLUListElement>(null);
  const pressed = useRef(false);
  const press = () => {
    pressed.current = true;
  };
  useEffect(() => {
    // The button that was pressed went with its device: without this a keyboard would start again at the top of the page.
    if (pressed.current && devices && document.activeElement === document.body) list.current?.focus();
    pressed.current = false;
  }, [devices]);
  if (!devices) {
    return error ? (
      <ErrorState message={centralMessage(error)} onRetry={() => void refetch()} retrying={isFetching} />
    ) : (
      <DevicesSkeleton />
    );
  }
  return (
    <>
      <ul ref={list} tabIndex={-1} aria-label="Signed-in devices" className="divide-y">
        {devices.map((device) => (
          <DeviceRow key={device.id} device={device} onPress={press} />
        ))}
      </ul>
      <SignOutOthers some={devices.length > 1} onPress={press} />
    </>
  );
}

interface DeviceRowProps {
  device: SignedInDevice;
  onPress: () => void;
}

function DeviceRow({ device, onPress }: DeviceRowProps) {
  const signOut = useSignOutDevices();
  const name = nameOf(device);
  const end = async () => {
    onPress();
    try {
      await signOut.mutateAsync(device.id);
      toast.success(`${name} signed out`);
    } catch (error) {
      // Signed out already, there or on a third device: the list that is read anew says so.
      if (!hasCode(error, 'NOT_FOUND')) reportFailure(error, `Failed to sign out the device: ${messageOf(error)}`);
    }
  };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 first:pt-0">
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-2 text-base font-medium">
          {name}
          {device.is_current && <StatusPill tone="accent" text="This device" />}
        </p>
        <p className="text-base text-ink-2 [overflow-wrap:anywhere]">{whereAndWhen(device)}</p>
      </div>
      {!device.is_current && (
        <Button busy={signOut.isPending} onClick={() => void end()} aria-label={`Sign out ${name}`}>
          Sign out
        </Button>
      )}
    </li>
  );
}

function nameOf({ browser, system }: SignedInDevice): string {
  return system === null ? (browser ?? 'Unknown device') : `${browser ?? 'Unknown browser'} on ${system}`;
}

function whereAndWhen({ network, is_current, last_active_at }: SignedInDevice): string {
  const when = is_current ? 'Active now' : `Last active ${relativeTime(last_active_at, new Date().toISOString())}`;
  return network === null ? when : `${network} · ${when}`;
}

interface SignOutOthersProps {
  /** Whether there are others. */
  some: boolean;
  onPress: () => void;
}

/** Stays when the others have gone: its question closes after they have, and then finds a place for the focus. */
function SignOutOthers({ some, onPress }: SignOutOthersProps) {
  const signOut = useSignOutDevices();
  const [asked, setAsked] = useState(false);
  const end = async () => {
    onPress();
    try {
      await signOut.mutateAsync(undefined);
      setAsked(false);
      toast.success('All other devices signed out');
    } catch (error) {
      reportFailure(error, `Failed to sign out the devices: ${messageOf(error)}`);
    }
  };
  return (
    <>
      {some && (
        // Too long for one line of a phone with large text.
        <Button onClick={() => setAsked(true)} className="h-auto! min-h-11 max-w-full py-2 whitespace-normal! lg:min-h-9 lg:py-1.5">
          Sign out all other devices
        </Button>
      )}
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title="Sign out all other devices?"
        description="You stay signed in here. Everywhere else you'll need your password to sign in again."
        confirmLabel="Sign Out"
        busy={signOut.isPending}
        onConfirm={() => void end()}
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
