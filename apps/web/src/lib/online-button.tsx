import type { ComponentProps } from 'react';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.ts';
import { useIsOffline } from './offline-state.ts';

const NEEDS_CONNECTION_MESSAGE = "You're offline. This needs a connection.";

/** Returns why something that can't wait for a connection is disabled now. Undefined while online. */
export const useNeedsConnection = (): string | undefined => (useIsOffline() ? NEEDS_CONNECTION_MESSAGE : undefined);

/** A button for what can't wait for a connection. While offline, it says so: in its tooltip, and when pressed, because phones have none. */
export function OnlineButton(props: ComponentProps<typeof Button>) {
  const reason = useNeedsConnection();
  if (reason === undefined) return <Button {...props} />;
  const { busy: _, ...rest } = props;
  return <Button {...rest} type="button" aria-disabled title={reason} onClick={() => void toast.blank(reason)} />;
}
