import type { QueryClient } from '@tanstack/react-query';
import { findDefinition } from '../../lib/commands/define-command.ts';
import { listCommands, openOutbox, reloadCommands, resumeSending, subscribeToCommands } from '../../lib/commands/outbox.ts';
import { cacheAcceptedCommand } from '../../lib/commands/overlays.ts';
import { type CommandOwner, UPLOAD_CALL } from '../../lib/commands/stored-command.ts';

/** Where earlier versions kept a pause that could not be sent. */
const KEPT_PAUSES_STORAGE_KEY = 'callout-kept-pauses';

/** Ends the keys under which earlier versions kept comments that were not sent. */
const KEPT_COMMENTS_KEY_SUFFIX = ' comment';

/** Sends the person's commands as long as they are signed in. Returns a function that stops. */
export function startOutbox(queryClient: QueryClient, owner: CommandOwner, staffId: string | null): () => void {
  if (staffId !== null && localStorage.getItem(KEPT_PAUSES_STORAGE_KEY) !== null) {
    import('../../features/timer/timer-kept-pauses.api.ts')
      .then(({ sendKeptPause }) => sendKeptPause(queryClient, KEPT_PAUSES_STORAGE_KEY, staffId))
      // It stays stored, and is sent at the next start.
      .catch(() => undefined);
  }
  const closing = new AbortController();
  const close = openOutbox(owner, (command, output) => cacheAcceptedCommand(queryClient, command, output));
  // A weak signal or a restart of the server fires no `online` event, but the next successful request shows that it is over.
  const stopWatching = queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success' && !event.action.manual) resumeSending();
  });
  const stopWaiting = subscribeToCommands(() => {
    stopWaiting();
    if (closing.signal.aborted || !Object.keys(sessionStorage).some((key) => key.endsWith(KEPT_COMMENTS_KEY_SUFFIX))) return;
    // They stay stored, and are posted at the next start, if this fails.
    import('../../features/comments/comments-kept.api.ts')
      .then(({ postKeptComments }) => postKeptComments(queryClient))
      .catch(() => undefined);
  });
  const stopListening = subscribeToCommands(() => {
    if (closing.signal.aborted || listCommands().every(({ call }) => call === UPLOAD_CALL || findDefinition(call))) return;
    stopListening();
    // Until it is loaded, the commands are sent but not shown. Without a connection, the service worker has the file.
    import('./command-definitions.ts').then(reloadCommands, () => undefined);
  });
  return () => {
    closing.abort();
    stopListening();
    stopWatching();
    close();
  };
}
